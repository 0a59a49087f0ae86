package io.tollgrid.mapstore.testing;

import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.commit.CommitFaults;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds a committer's lanes where the test wants them, with their locks held, until it opens.
 * Thread-safe.
 */
public final class Gate implements CommitFaults {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closedBeforeWrite;
  private boolean closedBeforeCommit;
  private int held;

  /** Holds every batch before it writes. */
  public void closeForBatches() {
    set(true, false);
  }

  /** Holds every batch after it wrote, before COMMIT. */
  public void closeForCommits() {
    set(false, true);
  }

  /** Lets everything through. */
  public void open() {
    set(false, false);
  }

  /** Waits until this many batches are held. */
  public void awaitHeld(int batches) {
    lock.lock();
    try {
      while (held < batches) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void beforeWrite(List<Transition> batch) throws SQLException {
    hold(false);
  }

  @Override
  public void beforeCommit(List<Transition> batch) throws SQLException {
    hold(true);
  }

  private void set(boolean beforeWrite, boolean beforeCommit) {
    lock.lock();
    try {
      closedBeforeWrite = beforeWrite;
      closedBeforeCommit = beforeCommit;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void hold(boolean atCommit) {
    lock.lock();
    try {
      held++;
      changed.signalAll();
      while (atCommit ? closedBeforeCommit : closedBeforeWrite) {
        changed.awaitUninterruptibly();
      }
      held--;
    } finally {
      lock.unlock();
    }
  }
}
