package io.tollgrid.verification.faults.run;

import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.commit.CommitFaults;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A committer's bad luck: some commits are confirmed to nobody, some batches wait with their locks
 * held, and some are held back before they begin, for as long as somebody wants. How often can be
 * changed while it runs. Thread-safe.
 */
final class MischievousStore implements CommitFaults {
  /** A batch in so many loses its confirmation when nothing else was asked for. */
  static final int USUAL_LOSS_ONE_IN = 250;

  private static final int SHORTEST_WAIT_MILLIS = 20;
  private static final int LONGEST_WAIT_MILLIS = 600;

  /** Below the age at which the committer turns its callers away. */
  private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(1_200);

  private static final long HOLD_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Guarded by itself. */
  private final SplittableRandom random;

  private final Consumer<Transition> lost;
  private final AtomicLong confirmationsLost = new AtomicLong();
  private volatile int lossOneIn = USUAL_LOSS_ONE_IN;
  private volatile int waitOneIn;

  private final AtomicInteger held = new AtomicInteger();
  private volatile boolean holding;
  private volatile long gatheredAtNanos;

  /**
   * Luck of a seed.
   *
   * @param lost is told what is durable and nobody will be told of; before its committer goes on
   */
  MischievousStore(long seed, Consumer<Transition> lost) {
    this.random = new SplittableRandom(seed);
    this.lost = lost;
  }

  /** One batch in so many loses its confirmation; 0 for none. */
  void loseOneIn(int batches) {
    lossOneIn = batches;
  }

  /** One batch in so many waits before it commits; 0 for none. */
  void waitOneIn(int batches) {
    waitOneIn = batches;
  }

  /**
   * From now on batches are held before they begin. The first ones are let go after a moment, so
   * that those which stay carry everything that came meanwhile.
   */
  void hold() {
    gatheredAtNanos = System.nanoTime() + GATHERING_NANOS;
    holding = true;
  }

  /** Lets every batch go that is held. */
  void letGo() {
    holding = false;
  }

  /** Transitions in batches that stay held until they are let go. */
  int held() {
    return held.get();
  }

  /** Batches that are durable and whose confirmation was lost. */
  long confirmationsLost() {
    return confirmationsLost.get();
  }

  @Override
  public void beforeRead(List<Transition> batch) {
    if (!holding) {
      return;
    }
    final boolean stays = gathered();
    final int transitions = stays ? batch.size() : 0;
    held.addAndGet(transitions);
    while (holding && (stays || !gathered())) {
      LockSupport.parkNanos(HOLD_LOOK_NANOS);
    }
    held.addAndGet(-transitions);
  }

  private boolean gathered() {
    return System.nanoTime() - gatheredAtNanos >= 0;
  }

  @Override
  public void beforeCommit(List<Transition> batch) {
    if (strikes(waitOneIn)) {
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(
              SHORTEST_WAIT_MILLIS + below(LONGEST_WAIT_MILLIS - SHORTEST_WAIT_MILLIS)));
    }
  }

  @Override
  public void afterCommit(List<Transition> batch) throws SQLException {
    if (strikes(lossOneIn)) {
      confirmationsLost.incrementAndGet();
      batch.forEach(lost);
      throw new SQLException("the confirmation of a commit was lost on purpose");
    }
  }

  private boolean strikes(int oneIn) {
    return oneIn > 0 && below(oneIn) == 0;
  }

  private int below(int bound) {
    synchronized (random) {
      return random.nextInt(bound);
    }
  }
}
