package io.tollgrid.verification.faults.nemesis;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A file of runs, one JSON object a line, to which every sitting adds. Used by one thread. */
final class RunRecords {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  RunRecords(Path file) {
    this.file = file;
  }

  /** Adds runs. */
  void add(List<RunRecord> runs) {
    try {
      final StringBuilder lines = new StringBuilder();
      for (final RunRecord run : runs) {
        lines.append(JSON.writeValueAsString(run)).append('\n');
      }
      Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All there are; none if there is no file. */
  List<RunRecord> all() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      final List<RunRecord> runs = new ArrayList<>();
      for (final String line : Files.readAllLines(file)) {
        runs.add(JSON.readValue(line, RunRecord.class));
      }
      return runs;
    } catch (IOException e) {
      throw new UncheckedIOException(file + " is no file of runs", e);
    }
  }

  /**
   * What runs come to: how many there are, bit and were void, and how often each fault was in one.
   */
  static Map<String, Long> histogram(List<RunRecord> runs) {
    final Map<String, Long> counts = new TreeMap<>();
    for (final RunRecord run : runs) {
      counts.merge("runs", 1L, Long::sum);
      counts.merge(run.bit() ? "bit" : "void", 1L, Long::sum);
      counts.merge("violations", (long) run.violations().size(), Long::sum);
      run.faults().stream()
          .flatMap(List::stream)
          .forEach(fault -> counts.merge("fault." + fault.replaceAll("\\[.*", ""), 1L, Long::sum));
      counts.merge("acknowledged", run.acknowledged(), Long::sum);
      counts.merge("served", run.served(), Long::sum);
      counts.merge("takeovers", run.takeovers(), Long::sum);
      counts.merge("unknown", run.unknown(), Long::sum);
      counts.merge("outdated", run.outdated(), Long::sum);
      counts.merge("stragglers", run.stragglers(), Long::sum);
    }
    return counts;
  }
}
