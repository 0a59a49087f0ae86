package io.tollgrid.admission.account;

import io.tollgrid.admission.concurrency.ConcurrencyGauge;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.lease.LeaseDoorbell;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.admission.lease.OverageAllowance;
import io.tollgrid.admission.rate.RateLimiter;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One account as this instance knows it: its policy, its lease slot, its overage, its rates and
 * what it runs.
 *
 * <p>The policy is replaced as a whole and only by a newer generation (R37). All else lasts as long
 * as the process: no policy refills a slot or an overage (R1), or forgets what runs (R30).
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
  private final RateLimiter rates = new RateLimiter();
  private final ConcurrencyGauge gauge;
  private final int shards;
  private volatile AccountPolicy policy;

  /**
   * Null until a policy first allows overage, and written before that policy, so whoever has read
   * an elastic policy finds it. Then the same for as long as the process lives (R1).
   */
  private volatile @Nullable OverageAllowance overage;

  /** Guarded by this: whether the policy is the ledger's and not an assumption. */
  private boolean published;

  /** Guarded by this: the largest quote any principal of it may legally reach. */
  private long largestQuoteUnits;

  private volatile @Nullable Hold hold;

  /**
   * An account; without a policy it is taken to be active and strict until one is published.
   *
   * @param owner makes the one who refills it, and must not read it yet
   * @param shards into how many words what its requests contend on is split, 1 or more
   */
  AccountState(
      final Id128 id,
      final @Nullable AccountPolicy policy,
      final Function<AccountState, ? extends LeaseDoorbell> owner,
      final int shards) {
    this.id = id;
    this.shards = shards;
    this.policy = policy == null ? ASSUMED : policy;
    this.published = policy != null;
    this.gauge = new ConcurrencyGauge(shards);
    enforce(this.policy.terms());
    allowOverage(this.policy);
    this.leases = new LeaseSlot(owner.apply(this));
  }

  /** The account. */
  public Id128 id() {
    return id;
  }

  /** Who refills its lease slot and is woken by it. */
  public LeaseDoorbell owner() {
    return leases.owner();
  }

  /** Its lease slot. */
  public LeaseSlot leases() {
    return leases;
  }

  /**
   * Its overage on this instance; for whoever has read a policy of it that allows overage.
   *
   * @throws IllegalStateException if none ever did
   */
  public OverageAllowance overage() {
    final OverageAllowance allowed = overage;
    if (allowed == null) {
      throw new IllegalStateException("account " + id + " was never under elastic enforcement");
    }
    return allowed;
  }

  /** Units of overage used in this process's lifetime, pending ones included (R1). */
  public long overageUsedUnits() {
    final OverageAllowance allowed = overage;
    return allowed == null ? 0 : allowed.usedUnits();
  }

  /** What it may start per second. */
  public RateLimiter rates() {
    return rates;
  }

  /** What it runs. */
  public ConcurrencyGauge gauge() {
    return gauge;
  }

  /** Into how many words what its requests contend on is split. */
  public int shards() {
    return shards;
  }

  /** The policy in force. */
  public AccountPolicy policy() {
    return policy;
  }

  /**
   * Replaces the policy if {@code next} is newer.
   *
   * @return whether it was accepted; a refused policy changed nothing
   * @throws IllegalArgumentException if its rates cannot be counted; nothing changed
   */
  public synchronized boolean publish(final AccountPolicy next) {
    final AccountPolicy before = policy;
    if (published && next.generation() <= before.generation()) {
      return false;
    }
    // First of all: it refuses rates that cannot be counted, and then nothing has changed.
    enforce(next.terms());
    allowOverage(next);
    policy = next;
    published = true;
    hold = null;
    if (!next.terms().equals(before.terms()) || next.status() != before.status()) {
      leases.fundingChanged();
    }
    return true;
  }

  /**
   * A principal of the account may be quoted as much as this: its rate limiter is split only as far
   * as each shard still holds it (R29).
   */
  public synchronized void mayBeQuoted(final long units) {
    if (units > largestQuoteUnits) {
      largestQuoteUnits = units;
      enforce(policy.terms());
    }
  }

  private void enforce(final AccountTerms terms) {
    rates.publish(terms.rates(), shards, largestQuoteUnits);
    gauge.limit(terms.concurrencyCeiling());
  }

  private void allowOverage(final AccountPolicy next) {
    if (overage == null && isElastic(next)) {
      overage = new OverageAllowance();
    }
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
    return closedTo(policy, nowNanos);
  }

  /** The same for whoever has read the policy already. */
  public @Nullable Denial closedTo(final AccountPolicy inForce, final long nowNanos) {
    final AccountStatus status = inForce.status();
    if (status != AccountStatus.ACTIVE) {
      return status == AccountStatus.SUSPENDED ? Denial.ACCOUNT_SUSPENDED : Denial.ACCOUNT_CLOSED;
    }
    final Hold held = hold;
    return held != null && nowNanos < held.untilNanos() ? held.denial() : null;
  }

  /**
   * Whether a request could be funded at {@code nowNanos}, however small: the account is open, and
   * its lease has units free, or there is room for overage. For probes; a moment later it may not
   * be so.
   */
  public boolean isFundable(final long nowNanos) {
    final AccountPolicy inForce = policy;
    if (closedTo(inForce, nowNanos) != null) {
      return false;
    }
    final HeldLease lease = leases.current();
    return (lease != null && lease.freeUnits() > 0 && lease.usableAt(nowNanos))
        || overageUsedUnits() < overageCapUnits(inForce);
  }

  /** How much overage a policy allows, 0 under strict enforcement (R4). */
  public static long overageCapUnits(final AccountPolicy policy) {
    return isElastic(policy) ? policy.terms().overageCapUnits() : 0;
  }

  /** Whether a policy admits overage at all. */
  public static boolean isElastic(final AccountPolicy policy) {
    return policy.terms().mode() == EnforcementMode.ELASTIC;
  }
}
