package io.tollgrid.node.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.node.testing.Eventually;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Witnesses the rules of ownership fences (architecture §3.4) that R11 and R16 stand on: single
 * flight, ahead of need, dropped when in doubt, never going back.
 */
class FenceKeeperTest {
  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MemoryFences atRest = new MemoryFences();
  private final ScriptedCp cp = new ScriptedCp();
  private final CpHealth health = new CpHealth();
  private final ScriptedOwnership ownership = new ScriptedOwnership(1, 2);
  private FenceKeeper keeper;

  @BeforeEach
  void make() {
    health.answered();
    keeper = new FenceKeeper(8, POLL, registry);
  }

  @AfterEach
  void end() {
    keeper.close();
  }

  private void start() {
    keeper.start(
        ownership,
        new FenceIssuer(Optional.of(cp), health, atRest, Duration.ofSeconds(1), registry));
  }

  @Test
  void fencesAreThereAheadOfNeedForWhatIsOwnedAndNothingElse() {
    start();
    held(1);
    held(2);

    assertThat(keeper.held(3)).isEmpty();
    assertThat(keeper.held(1)).isEqualTo(OptionalLong.of(atRest.fence(1)));
    assertThat(atRest.fence(3)).isZero();
    Eventually.until(
        "coverage", PATIENCE, () -> keeper.coverage().equals(new FenceKeeper.Coverage(2, 2, true)));
  }

  @Test
  void manyRequestsAreOneDraw() throws InterruptedException {
    final CountDownLatch drawing = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);
    cp.whileDrawing =
        () -> {
          drawing.countDown();
          await(go);
        };
    start();
    assertThat(drawing.await(30, TimeUnit.SECONDS)).isTrue();

    for (int i = 0; i < 1_000; i++) {
      keeper.request(1);
    }
    go.countDown();

    held(1);
    assertThat(cp.drawsOf(1)).hasSize(1);
  }

  @Test
  void aRequestForSomebodyElsesPartitionDrawsNothing() {
    start();
    held(1);

    keeper.request(3);
    afterTwoMorePasses();

    assertThat(cp.drawsOf(3)).isEmpty();
    assertThat(keeper.held(3)).isEmpty();
  }

  @Test
  void aDroppedFenceIsReplacedByAHigherOneAndNeverComesBack() {
    start();
    final long first = held(1);

    keeper.drop(1, first);

    final long second = heldAbove(1, first);
    assertThat(second).isGreaterThan(first).isEqualTo(atRest.fence(1));
    keeper.drop(1, first);
    assertThat(keeper.held(1)).isEqualTo(OptionalLong.of(second));
  }

  @Test
  void aPartitionThatLeavesTakesItsFenceWithIt() {
    start();
    final long first = held(1);

    ownership.table.remove(1);
    keeper.ownershipChanged();
    Eventually.until("the drop", PATIENCE, () -> keeper.held(1).isEmpty());

    ownership.table.add(1);
    keeper.ownershipChanged();
    assertThat(heldAbove(1, first)).isGreaterThan(first);
  }

  @Test
  void aPartitionThatLeftAndCameBackDuringItsDrawIsDrawnAgain() {
    final CountDownLatch once = new CountDownLatch(1);
    cp.whileDrawing =
        () -> {
          if (once.getCount() > 0) {
            once.countDown();
            keeper.partitionLeft(1);
          }
        };
    start();

    held(1);

    assertThat(cp.drawsOf(1)).hasSize(2);
  }

  @Test
  void aMergeOrALostMajorityDropsEverything() {
    start();
    final long first = held(1);
    held(2);
    ownership.majority = false;

    keeper.dropAll("minority");

    afterTwoMorePasses();
    assertThat(keeper.held(1)).isEmpty();
    assertThat(keeper.held(2)).isEmpty();
    ownership.majority = true;
    assertThat(heldAbove(1, first)).isGreaterThan(first);
  }

  @Test
  void whatWasDrawnTooLowIsDrawnAgain() {
    final CountDownLatch once = new CountDownLatch(1);
    cp.whileDrawing =
        () -> {
          if (once.getCount() > 0) {
            once.countDown();
            // Someone else raises between our draw and our raise.
            atRest.atRest.put(1, 100L);
          }
        };
    start();

    assertThat(held(1)).isEqualTo(101).isEqualTo(atRest.fence(1));
    assertThat(registry.counter("tollgrid.fences.raises.lost").count()).isEqualTo(1);
  }

  @Test
  void aCpThatForgotGoesOnAboveTheFenceAtRest() {
    atRest.atRest.put(1, 41L);
    start();

    assertThat(held(1)).isEqualTo(42);
    cp.drawn.clear();
    keeper.drop(1, 42);

    assertThat(heldAbove(1, 42)).isEqualTo(43);
  }

  @Test
  void withoutCpPostgresqlIssuesAndWithItCpDoesAgain() {
    cp.away = true;
    start();
    final long issued = held(1);
    assertThat(cp.draws).isEmpty();
    assertThat(health.reachable()).isFalse();

    cp.away = false;
    health.answered();
    keeper.drop(1, issued);

    assertThat(heldAbove(1, issued)).isEqualTo(issued + 1);
    assertThat(cp.drawsOf(1)).hasSize(1);
  }

  @Test
  void withoutAMajorityNobodyIssues() {
    cp.away = true;
    ownership.majority = false;
    start();

    afterTwoMorePasses();

    assertThat(keeper.held(1)).isEmpty();
    assertThat(atRest.fence(1)).isZero();
  }

  @Test
  void aDatabaseThatIsAwayIsAskedAgain() {
    atRest.away = true;
    start();
    Eventually.until("a failed pass", PATIENCE, () -> keeper.task().failures() > 0);
    assertThat(keeper.held(1)).isEmpty();

    atRest.away = false;

    held(1);
    assertThat(keeper.task().alive()).isTrue();
  }

  @Test
  void beforeItsStartItHoldsNothingAndRefusesNothing() {
    keeper.request(1);
    keeper.drop(1, 7);
    keeper.dropAll("merged");

    assertThat(keeper.held(1)).isEmpty();
    assertThat(keeper.task().alive()).isFalse();
  }

  private long held(int partition) {
    return heldAbove(partition, 0);
  }

  private long heldAbove(int partition, long floor) {
    Eventually.until(
        "a fence above " + floor, PATIENCE, () -> keeper.held(partition).orElse(0) > floor);
    return keeper.held(partition).orElseThrow();
  }

  private void afterTwoMorePasses() {
    final long passes = keeper.task().passes();
    Eventually.until("two passes", PATIENCE, () -> keeper.task().passes() >= passes + 2);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
