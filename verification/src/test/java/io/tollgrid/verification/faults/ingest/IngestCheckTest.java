package io.tollgrid.verification.faults.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.verification.faults.check.Violation;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Witnesses that every event has one class whatever the order, and that each way in which the
 * evidence of a run can be wrong is found (R20).
 *
 * <p>The run itself is {@code ./tollgrid faults --ingest}.
 */
class IngestCheckTest {
  private static final UsagePlan PLAN = new UsagePlan(5, 20_001, 40, 1_790_000_000_000L);

  @TempDir private Path directory;

  @Test
  void aRunInWhichEverythingWentRightIsExact() {
    assertThat(new HonestIngest(PLAN).judge(directory)).isEmpty();
  }

  @Test
  void thePlanHasEveryClassAndEveryEventIsFoundByItsId() {
    final Set<UsageVerdict> classes = EnumSet.of(UsageVerdict.DUPLICATE);
    final Set<Object> ids = new HashSet<>();
    for (int event = 0; event < PLAN.events(); event++) {
      final UsagePlan.Part part = PLAN.part(event);
      classes.add(part.verdict());
      ids.add(List.of(part.event().requestId(), part.event().part()));
      assertThat(PLAN.numberOf(part.event().requestId(), part.event().part())).isEqualTo(event);
    }

    assertThat(classes).containsExactlyInAnyOrder(UsageVerdict.values());
    assertThat(ids).hasSize(PLAN.events());
    assertThat(UsagePlan.of(PLAN.words())).isEqualTo(PLAN);
    final long again = IntStream.range(0, PLAN.events()).filter(PLAN::isRedelivered).count();
    assertThat(again).isBetween(PLAN.events() * 18L / 100, PLAN.events() * 22L / 100);
  }

  @Test
  void everyDeliveryIsMadeByOneWriterAndASecondOneByAnother() {
    final int[][] writerOf = new int[2][PLAN.events()];
    final Set<Integer> ascents = new HashSet<>();
    for (int writer = 0; writer < 3; writer++) {
      final DeliveryOrder order = new DeliveryOrder(PLAN, writer, 3);
      int before = -1;
      while (order.advance()) {
        assertThat(writerOf[order.copy()][order.event()]).isZero();
        writerOf[order.copy()][order.event()] = writer + 1;
        ascents.add(Integer.signum(order.event() - before));
        before = order.event();
      }
    }

    for (int event = 0; event < PLAN.events(); event++) {
      assertThat(writerOf[0][event]).isPositive();
      assertThat(writerOf[1][event] != 0).isEqualTo(PLAN.isRedelivered(event));
      assertThat(writerOf[1][event]).isNotEqualTo(writerOf[0][event]);
    }
    assertThat(ascents).contains(1, -1);
  }

  @Test
  void anAnswerThatContradictsTheRecordIsFound() {
    found(
        run -> change(run, UsageVerdict.Kind.ACCEPTED, UsageVerdict.DUPLICATE),
        Violation.Kind.CLASSIFICATION_CHANGED,
        Violation.Kind.USAGE_LOST);
    found(
        run -> change(run, UsageVerdict.Kind.ACCEPTED, UsageVerdict.BEYOND_LOSS),
        Violation.Kind.CLASSIFIED_WRONGLY,
        Violation.Kind.CLASSIFICATION_CHANGED,
        Violation.Kind.USAGE_LOST);
    found(
        run -> change(run, UsageVerdict.Kind.REJECTED, UsageVerdict.DUPLICATE),
        Violation.Kind.CLASSIFIED_WRONGLY,
        Violation.Kind.CLASSIFICATION_CHANGED,
        Violation.Kind.USAGE_LOST);
    found(
        run -> {
          final int[] at = run.first(UsageVerdict.Kind.DUPLICATE);
          final int event = run.told.get(at[0]).get(at[1]).event();
          change(run, UsageVerdict.Kind.DUPLICATE, PLAN.part(event).verdict());
        },
        Violation.Kind.USAGE_LOST,
        Violation.Kind.RECORDED_TWICE);
  }

  @Test
  void anAnswerThatChangedIsFoundThoughTheFirstOneGotLost() {
    found(
        run -> {
          final int[] at = run.first(UsageVerdict.Kind.ACCEPTED);
          final HonestIngest.Answer heard = run.told.get(at[0]).get(at[1]);
          run.told
              .get(at[0])
              .add(
                  at[1],
                  new HonestIngest.Answer(
                      heard.event(), heard.sequence(), ToldFile.LOST, UsageVerdict.DUPLICATE));
        },
        Violation.Kind.CLASSIFICATION_CHANGED);
    final HonestIngest same = new HonestIngest(PLAN);
    final HonestIngest.Answer first = same.told.get(0).get(0);
    same.told
        .get(0)
        .add(
            0,
            new HonestIngest.Answer(
                first.event(), first.sequence(), ToldFile.LOST, first.verdict()));
    assertThat(same.judge(directory)).isEmpty();
  }

  @Test
  void anAnswerThatCameTwiceOrNeverIsFound() {
    found(
        run -> run.told.get(0).add(run.told.get(0).get(3)), Violation.Kind.CLASSIFICATION_CHANGED);
    found(run -> run.told.get(0).remove(3), Violation.Kind.USAGE_LOST);
  }

  @Test
  void rowsThatAreMissingTooManyOrOthersAreFound() {
    found(run -> run.accepted.remove(9), Violation.Kind.USAGE_LOST, Violation.Kind.RECORDED_TWICE);
    found(run -> run.billed.remove(9), Violation.Kind.USAGE_LOST);
    found(run -> run.rejected.remove(9), Violation.Kind.USAGE_LOST);
    found(run -> run.accepted.add(run.accepted.get(9)), Violation.Kind.RECORDED_TWICE);
    found(run -> run.billed.add(run.billed.get(9)), Violation.Kind.RECORDED_TWICE);
    found(run -> run.rejected.add(run.rejected.get(9)), Violation.Kind.RECORDED_TWICE);
    found(run -> run.accepted.add(run.rejected.get(9)), Violation.Kind.CLASSIFIED_WRONGLY);
    for (final Consumer<HonestIngest> units :
        List.<Consumer<HonestIngest>>of(
            run -> run.accepted.set(9, moreUnits(run.accepted.get(9))),
            run -> run.billed.set(9, moreUnits(run.billed.get(9))),
            run -> run.rejected.set(9, moreUnits(run.rejected.get(9))))) {
      found(units, Violation.Kind.CLASSIFIED_WRONGLY);
    }
    found(
        run -> {
          final StoredUsage row = run.accepted.get(9);
          run.accepted.set(
              9,
              new StoredUsage(
                  PLAN.account(-5),
                  row.requestId(),
                  row.part(),
                  row.writer(),
                  row.sequence(),
                  row.verdict(),
                  row.units()));
        },
        Violation.Kind.NOBODY_ASKED,
        Violation.Kind.RECORDED_TWICE,
        Violation.Kind.USAGE_LOST);
  }

  @Test
  void booksThatAreNotTheSumOfTheirEventsAreFound() {
    for (final Consumer<HonestIngest> books :
        List.<Consumer<HonestIngest>>of(
            run -> run.billedUnits[3]++,
            run -> run.unfundedUnits[3]--,
            run -> run.overageUnits[3]++,
            run -> run.leasedUnits[3]--,
            run -> run.straggledUnits[3]++)) {
      found(books, Violation.Kind.BILLED_WRONGLY);
    }
  }

  private static StoredUsage moreUnits(StoredUsage row) {
    return new StoredUsage(
        row.account(),
        row.requestId(),
        row.part(),
        row.writer(),
        row.sequence(),
        row.verdict(),
        row.units() + 1);
  }

  private static void change(HonestIngest run, UsageVerdict.Kind kind, UsageVerdict to) {
    final int[] at = run.first(kind);
    final HonestIngest.Answer was = run.told.get(at[0]).get(at[1]);
    run.told
        .get(at[0])
        .set(at[1], new HonestIngest.Answer(was.event(), was.sequence(), was.copy(), to));
  }

  private void found(Consumer<HonestIngest> falsify, Violation.Kind... kinds) {
    final HonestIngest run = new HonestIngest(PLAN);
    falsify.accept(run);

    assertThat(run.judge(directory).stream().map(Violation::kind).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(kinds);
  }
}
