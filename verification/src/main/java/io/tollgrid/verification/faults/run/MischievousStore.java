package io.tollgrid.verification.faults.run;

import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.commit.CommitFaults;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A committer's bad luck: some commits are confirmed to nobody, some batches wait with their locks
 * held. How often can be changed while it runs. Thread-safe.
 */
final class MischievousStore implements CommitFaults {
  /** A batch in so many loses its confirmation when nothing else was asked for. */
  static final int USUAL_LOSS_ONE_IN = 250;

  private static final int SHORTEST_WAIT_MILLIS = 20;
  private static final int LONGEST_WAIT_MILLIS = 600;

  /** Guarded by itself. */
  private final SplittableRandom random;

  private volatile int lossOneIn = USUAL_LOSS_ONE_IN;
  private volatile int waitOneIn;

  MischievousStore(long seed) {
    random = new SplittableRandom(seed);
  }

  /** One batch in so many loses its confirmation; 0 for none. */
  void loseOneIn(int batches) {
    lossOneIn = batches;
  }

  /** One batch in so many waits before it commits; 0 for none. */
  void waitOneIn(int batches) {
    waitOneIn = batches;
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
