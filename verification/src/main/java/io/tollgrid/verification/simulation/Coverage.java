package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.UsageVerdict;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** How often each cell of the coverage table was reached. Confined to a thread; sums are merged. */
final class Coverage {
  private final Map<CommandKind, Map<AnswerKind, Long>> answers = new EnumMap<>(CommandKind.class);
  private final Map<FaultKind, Map<CommandKind, Long>> faults = new EnumMap<>(FaultKind.class);
  private final Map<UsageVerdict, Long> verdicts = new EnumMap<>(UsageVerdict.class);
  private final Map<Scenario, Long> scenarios = new EnumMap<>(Scenario.class);

  Coverage() {
    for (final CommandKind command : CommandKind.values()) {
      answers.put(command, new EnumMap<>(AnswerKind.class));
    }
    for (final FaultKind fault : FaultKind.values()) {
      faults.put(fault, new EnumMap<>(CommandKind.class));
    }
  }

  void answered(CommandKind command, AnswerKind answer) {
    of(answers, command).merge(answer, 1L, Long::sum);
  }

  void struck(FaultKind fault, CommandKind inFlight) {
    of(faults, fault).merge(inFlight, 1L, Long::sum);
  }

  void classified(UsageVerdict verdict) {
    verdicts.merge(verdict, 1L, Long::sum);
  }

  void saw(Scenario scenario) {
    scenarios.merge(scenario, 1L, Long::sum);
  }

  void add(Coverage other) {
    other.answers.forEach((command, row) -> addRow(of(answers, command), row));
    other.faults.forEach((fault, row) -> addRow(of(faults, fault), row));
    addRow(verdicts, other.verdicts);
    addRow(scenarios, other.scenarios);
  }

  /** Every cell that can be reached with its count, by a stable name, in a stable order. */
  Map<String, Long> cells() {
    final Map<String, Long> cells = new LinkedHashMap<>();
    for (final CommandKind command : CommandKind.values()) {
      for (final AnswerKind answer : Reachable.answers(command)) {
        cells.put("answer " + command + " " + answer, count(of(answers, command), answer));
      }
    }
    for (final UsageVerdict verdict : Reachable.verdicts()) {
      cells.put("usage " + verdict, count(verdicts, verdict));
    }
    for (final FaultKind fault : FaultKind.values()) {
      for (final CommandKind command : CommandKind.values()) {
        cells.put("fault " + fault + " " + command, count(of(faults, fault), command));
      }
    }
    for (final Scenario scenario : Scenario.values()) {
      cells.put("scenario " + scenario, count(scenarios, scenario));
    }
    return cells;
  }

  /**
   * The table's sums: each answer whatever the command, each command whatever became of it, each
   * fault whatever was in flight; and what has no second dimension as it is.
   */
  Map<String, Long> sums() {
    final Map<String, Long> sums = new LinkedHashMap<>();
    cells()
        .forEach(
            (cell, count) -> {
              final String[] words = cell.split(" ", -1);
              if (words[0].equals("answer")) {
                sums.merge("command " + words[1], count, Long::sum);
                sums.merge("answer " + words[2], count, Long::sum);
              } else if (words[0].equals("fault")) {
                sums.merge("fault " + words[1], count, Long::sum);
                sums.merge("in flight " + words[2], count, Long::sum);
              } else {
                sums.put(cell, count);
              }
            });
    return sums;
  }

  /** Cells never reached. */
  Set<String> empty() {
    return empty(cells());
  }

  /** Sums of the table that are zero. */
  Set<String> emptySums() {
    return empty(sums());
  }

  private static Set<String> empty(Map<String, Long> counts) {
    final Set<String> empty = new TreeSet<>();
    counts.forEach(
        (cell, count) -> {
          if (count == 0) {
            empty.add(cell);
          }
        });
    return empty;
  }

  /** Answers reached that the table says cannot be: the table is wrong, or the fleet is. */
  Set<String> unexpected() {
    final Set<String> unexpected = new TreeSet<>();
    answers.forEach(
        (command, row) ->
            row.keySet().stream()
                .filter(answer -> !Reachable.answers(command).contains(answer))
                .forEach(answer -> unexpected.add("answer " + command + " " + answer)));
    return unexpected;
  }

  private static <K, V> V of(Map<K, V> map, K key) {
    final V value = map.get(key);
    if (value == null) {
      throw new IllegalStateException("no row for " + key);
    }
    return value;
  }

  private static <K> long count(Map<K, Long> row, K key) {
    return row.getOrDefault(key, 0L);
  }

  private static <K> void addRow(Map<K, Long> into, Map<K, Long> row) {
    row.forEach((key, count) -> into.merge(key, count, Long::sum));
  }
}
