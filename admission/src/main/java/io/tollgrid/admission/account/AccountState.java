package io.tollgrid.admission.account;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.LeaseDoorbell;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import org.jspecify.annotations.Nullable;

/**
 * One account as this instance knows it: its policy, its lease slot and its overage.
 *
 * <p>The policy is replaced as a whole and only by a newer generation (R37). The slot and the
 * overage last as long as the process: no policy refills them (R1).
 */
public final class AccountState {
  /**
   * A refusal that stands until a time, because the ledger itself said so more recently than the
   * policy.
   *
   * @param denial what requests are told
   * @param untilNanos first instant at which it no longer holds, epoch nanoseconds
   */
  private record Hold(Denial denial, long untilNanos) {}

  /** What an account is taken to be until a policy is published: active and strict. */
  private static final AccountPolicy ASSUMED =
      new AccountPolicy(
          1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false);

  private final Id128 id;
  private final LeaseSlot leases;
  private final OverageAllowance overage = new OverageAllowance();
  private volatile AccountPolicy policy;

  /** Guarded by this: whether the policy is the ledger's and not an assumption. */
  private boolean published;

  private volatile @Nullable Hold hold;

  /** An account; without a policy it is taken to be active and strict until one is published. */
  AccountState(final Id128 id, final @Nullable AccountPolicy policy, final LeaseDoorbell doorbell) {
    this.id = id;
    this.policy = policy == null ? ASSUMED : policy;
    this.published = policy != null;
    this.leases = new LeaseSlot(doorbell);
  }

  /** The account. */
  public Id128 id() {
    return id;
  }

  /** Its lease slot. */
  public LeaseSlot leases() {
    return leases;
  }

  /** Its overage on this instance. */
  public OverageAllowance overage() {
    return overage;
  }

  /** The policy in force. */
  public AccountPolicy policy() {
    return policy;
  }

  /**
   * Replaces the policy if {@code next} is newer.
   *
   * @return whether it was accepted; a refused policy changed nothing
   */
  public synchronized boolean publish(final AccountPolicy next) {
    final AccountPolicy before = policy;
    if (published && next.generation() <= before.generation()) {
      return false;
    }
    policy = next;
    published = true;
    hold = null;
    if (!next.terms().equals(before.terms()) || next.status() != before.status()) {
      leases.fundingChanged();
    }
    return true;
  }

  /** Refuses new requests with {@code denial} until {@code untilNanos}: the ledger said so. */
  public void hold(final Denial denial, final long untilNanos) {
    hold = new Hold(denial, untilNanos);
  }

  /** Lets requests in again before a {@link #hold} has run out. */
  public void liftHold() {
    hold = null;
  }

  /** Why no new request may begin at {@code nowNanos}, or null if one may. */
  public @Nullable Denial closedTo(final long nowNanos) {
    final AccountStatus status = policy.status();
    if (status != AccountStatus.ACTIVE) {
      return status == AccountStatus.SUSPENDED ? Denial.ACCOUNT_SUSPENDED : Denial.ACCOUNT_CLOSED;
    }
    final Hold held = hold;
    return held != null && nowNanos < held.untilNanos() ? held.denial() : null;
  }

  /** How much overage the policy in force allows, 0 under strict enforcement (R4). */
  public long overageCapUnits() {
    final AccountPolicy inForce = policy;
    return inForce.terms().mode() == EnforcementMode.ELASTIC
        ? inForce.terms().overageCapUnits()
        : 0;
  }

  /** Whether the policy in force admits overage at all. */
  public boolean elastic() {
    return policy.terms().mode() == EnforcementMode.ELASTIC;
  }
}
