package io.tollgrid.client;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An account that an instance meters: what a service may know and say about it. Safe for use by any
 * thread.
 */
public final class ManagedAccount {
  private final LeaseManager manager;

  /** Guarded by this. */
  private long changes;

  /** Guarded by this: what those wait for that wait, or null while nobody does. */
  private @Nullable CountDownLatch nextChange;

  ManagedAccount(final LeaseManager manager) {
    this.manager = manager;
  }

  /** The account. */
  public Id128 id() {
    return manager.account.id();
  }

  /** What the ledger last said about its funding, if that still stands (R15). */
  public Optional<Evidence> evidence() {
    return Optional.ofNullable(manager.slot().evidence());
  }

  /** How much is left, to be shown and for nothing else; absent if the ledger never said (R56). */
  public Optional<BalanceEstimate> balance() {
    return Optional.ofNullable(manager.shown.estimate());
  }

  /** The policy in force. */
  public AccountPolicy policy() {
    return manager.account.policy();
  }

  /** Units of overage this instance has used in its lifetime, pending ones included (R1). */
  public long overageUsedUnits() {
    return manager.account.overageUsedUnits();
  }

  /**
   * Replaces the policy if it is newer than the one in force (R37).
   *
   * @return whether it was accepted
   */
  public boolean publish(final AccountPolicy policy) {
    final boolean accepted = manager.account.publish(policy);
    if (accepted) {
      tellManager();
    }
    return accepted;
  }

  /** Says that the account's funding has changed: a deposit, a credit, a crossing (R55). */
  public void fundingChanged() {
    manager.slot().fundingChanged();
    tellManager();
  }

  /**
   * How often something happened that may let a refused request fare better, or be told for good:
   * read it before a request that may be refused, and hand it to {@link #awaitChange}.
   */
  public synchronized long changes() {
    return changes;
  }

  /**
   * Waits for such a change. Not for the request path: it blocks.
   *
   * @param seen what {@link #changes} returned before the request was refused
   * @param longest how long to wait at most
   * @return whether there was a change
   */
  public boolean awaitChange(final long seen, final Duration longest) throws InterruptedException {
    final CountDownLatch change;
    synchronized (this) {
      if (changes != seen) {
        return true;
      }
      if (nextChange == null) {
        nextChange = new CountDownLatch(1);
      }
      change = nextChange;
    }
    return change.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  synchronized void changed() {
    changes++;
    if (nextChange != null) {
      nextChange.countDown();
      nextChange = null;
    }
  }

  private void tellManager() {
    manager.context.loop().post(manager::fundingChanged);
  }
}
