package io.tollgrid.ledger;

import io.tollgrid.ledger.ScriptedCommands.Op;
import io.tollgrid.ledger.ScriptedCommands.Step;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/**
 * Witnesses R1, R2, R3, R10 to R18, R20, R23 and R57 over any sequence of commands, faults and
 * times: after every step the ledger, its rows and its answer are what {@link
 * io.tollgrid.ledger.oracle} says they must be, and the same command again changes nothing.
 *
 * <p>The seed is fixed, so a run can be repeated; the fleet simulation explores others.
 */
class LedgerStateMachineProperties {
  private static final int TRIES = 160;
  private static final int MIN_STEPS = 120;
  private static final int MAX_STEPS = 260;

  @Provide
  Arbitrary<List<Step>> scripts() {
    final Arbitrary<Op> ops =
        Arbitraries.frequency(
            Tuple.of(2, Op.CREATE),
            Tuple.of(6, Op.DEPOSIT),
            Tuple.of(3, Op.CREDIT),
            Tuple.of(5, Op.SCHEDULE),
            Tuple.of(3, Op.STATUS),
            Tuple.of(1, Op.CAPACITY_CLASS),
            Tuple.of(2, Op.TERMS),
            Tuple.of(18, Op.ACQUIRE),
            Tuple.of(10, Op.CONSOLIDATE),
            Tuple.of(8, Op.RETURN),
            Tuple.of(5, Op.RENEW),
            Tuple.of(7, Op.RELEASE),
            Tuple.of(22, Op.USAGE),
            Tuple.of(7, Op.RECLAIM),
            Tuple.of(3, Op.CROSS),
            Tuple.of(8, Op.RETRY),
            Tuple.of(4, Op.CONFLICT),
            Tuple.of(2, Op.FORGET),
            Tuple.of(1, Op.TAKE_OVER));
    final Arbitrary<Integer> choice = Arbitraries.integers().between(0, 1 << 20);
    final Arbitrary<Step> steps =
        Combinators.combine(ops, choice, choice, choice, choice, choice, choice).as(Step::new);
    return steps.list().ofMinSize(MIN_STEPS).ofMaxSize(MAX_STEPS);
  }

  @Property(
      tries = TRIES,
      seed = "20260304",
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.BOUNDED)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void everySequenceOfCommandsAgreesWithTheRules(@ForAll("scripts") List<Step> script) {
    final LedgerMachine machine = new LedgerMachine();
    for (final Step step : script) {
      machine.run(step);
    }
    machine.seen().forEach(label -> Statistics.label("reached").collect(label));
    Statistics.label("reached")
        .coverage(
            coverage ->
                everythingThatMustBeReached()
                    .forEach(label -> coverage.check(label).count(count -> count > 0)));
  }

  /** So that a generator gone dull is found: every command each way, every refusal and verdict. */
  private static List<String> everythingThatMustBeReached() {
    return LedgerMachine.labelsToReach().stream().map(l -> l.toLowerCase(Locale.ROOT)).toList();
  }
}
