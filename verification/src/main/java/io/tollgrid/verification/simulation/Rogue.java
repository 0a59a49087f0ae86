package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.UsageEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks for what it may not have. Nothing it asks can be granted, whatever happens
 * meanwhile, so nothing it does may change what honest holders hold.
 */
final class Rogue {
  /** What is wrong with a step or a consolidation. */
  enum Flaw {
    UNKNOWN_LEASE,
    WRONG_FENCE,
    GAP,
    SUPERSEDED,
    OTHER_BODY,
    BEYOND,
    ENDED,
    TTL
  }

  /** What is wrong with a usage event. */
  enum UsageFlaw {
    UNKNOWN_LEASE,
    WRONG_FENCE,
    BEYOND,
    OVERAGE,
    NOT_TIME_ORDERED,
    TOO_EARLY,
    TOO_OLD,
    OVERFLOW
  }

  private static final GrantPolicy POLICY = GrantPolicy.of(1, 1);
  private static final long FAR = 1_000;
  private static final long TOO_LONG = Scale.LIMITS.maxTtlNanos() + 1;

  private final Fleet fleet;
  private final Id128 holder = Ids.holder(Lanes.rogue(), 0);
  private final Id128 writer = Ids.writer(Lanes.rogue(), 0);
  private long numbers;
  private long sequence;

  Rogue(Fleet fleet) {
    this.fleet = fleet;
  }

  /** A return, renewal or release that is flawed; false if no lease has what the flaw needs. */
  boolean step(int account, LeaseStep.Kind kind, Flaw flaw, int which) {
    final @Nullable Lease lease = lease(account, which);
    final long last = lease == null ? 0 : LeaseTerms.stepOf(lease);
    if (flaw == Flaw.UNKNOWN_LEASE) {
      return ask(account, step(kind, unknownLease(account), 1, 1, 0));
    }
    if (lease == null) {
      return false;
    }
    return switch (flaw) {
      case WRONG_FENCE -> ask(account, step(kind, lease.id(), lease.fence() + FAR, last + 1, 0));
      case GAP -> ask(account, step(kind, lease.id(), lease.fence(), last + FAR, 0));
      case SUPERSEDED ->
          last > 1 && ask(account, step(kind, lease.id(), lease.fence(), last - 1, 0));
      case OTHER_BODY -> last > 0 && ask(account, otherBody(lease, kind));
      case BEYOND ->
          kind != LeaseStep.Kind.RENEW
              && ask(
                  account, step(kind, lease.id(), lease.fence(), last + 1, lease.remaining() + 1));
      case ENDED ->
          lease.state() != LeaseState.ACTIVE
              && ask(account, step(kind, lease.id(), lease.fence(), last + 1, 0));
      case TTL ->
          kind == LeaseStep.Kind.RENEW
              && ask(
                  account, new LedgerCommand.Renew(lease.id(), lease.fence(), last + 1, TOO_LONG));
      case UNKNOWN_LEASE -> throw new IllegalStateException("handled above");
    };
  }

  /** The lease's last step again, with a body no holder sends. */
  private static LedgerCommand otherBody(Lease lease, LeaseStep.Kind kind) {
    return step(kind, lease.id(), lease.fence(), LeaseTerms.stepOf(lease), Long.MAX_VALUE / 2);
  }

  private static LedgerCommand step(
      LeaseStep.Kind kind, Id128 lease, long fence, long step, long units) {
    return switch (kind) {
      case RETURN -> new LedgerCommand.Return(lease, fence, step, units);
      case RENEW ->
          new LedgerCommand.Renew(lease, fence, step, units == 0 ? Scale.TTL_NANOS : units);
      case RELEASE -> new LedgerCommand.Release(lease, fence, step, units);
    };
  }

  boolean consolidate(int account, Flaw flaw, int which) {
    final @Nullable Lease lease = lease(account, which);
    if (flaw == Flaw.UNKNOWN_LEASE) {
      return ask(account, consolidate(account, unknownLease(account), 1, 0, Scale.TTL_NANOS));
    }
    if (lease == null) {
      return false;
    }
    return switch (flaw) {
      case WRONG_FENCE ->
          ask(account, consolidate(account, lease.id(), lease.fence() + FAR, 0, Scale.TTL_NANOS));
      case BEYOND ->
          ask(
              account,
              consolidate(
                  account, lease.id(), lease.fence(), lease.remaining() + 1, Scale.TTL_NANOS));
      case ENDED ->
          lease.state() != LeaseState.ACTIVE
              && ask(account, consolidate(account, lease.id(), lease.fence(), 0, Scale.TTL_NANOS));
      case TTL -> ask(account, consolidate(account, lease.id(), lease.fence(), 0, TOO_LONG));
      case OTHER_BODY ->
          ask(
              account,
              new LedgerCommand.Consolidate(
                  lease.id(), holder, lease.id(), lease.fence(), 0, POLICY, TOO_LONG, 0));
      case UNKNOWN_LEASE, GAP, SUPERSEDED -> false;
    };
  }

  private LedgerCommand consolidate(
      int account, Id128 old, long fence, long freeUnits, long ttlNanos) {
    return new LedgerCommand.Consolidate(
        unknownLease(account), holder, old, fence, freeUnits, POLICY, ttlNanos, 0);
  }

  /** An acquire that lasts too long, or that names a lease somebody has. */
  boolean acquire(int account, boolean takenId, int which) {
    final @Nullable Lease lease = lease(account, which);
    if (takenId && lease == null) {
      return false;
    }
    final Id128 id = takenId && lease != null ? lease.id() : unknownLease(account);
    return ask(account, new LedgerCommand.Acquire(id, holder, POLICY, TOO_LONG, 0));
  }

  /** Another operator command under an id that was used. */
  boolean reuseCommandId(int account, CommandKind kind) {
    final List<LedgerCommand.OperatorCommand> applied = fleet.operators().applied(account);
    if (applied.isEmpty()) {
      return false;
    }
    final LedgerCommand.OperatorCommand used = applied.get(applied.size() - 1);
    final LedgerCommand other = OperatorEvent.impossible(used.commandId(), kind);
    return !other.equals(used) && ask(account, other);
  }

  boolean usage(int account, UsageFlaw flaw, int which) {
    if (fleet.store().load(account) == null) {
      // Usage of nobody is kept without a ledger, which the store here does not do; a step is
      // refused.
      return ask(account, step(LeaseStep.Kind.RETURN, unknownLease(account), 1, 1, 0));
    }
    final @Nullable Lease lease = lease(account, which);
    final long now = fleet.clientClock(Lanes.rogue());
    final Id128 id = Ids.request(now, Lanes.rogue(), ++numbers);
    final Funding none = new Funding.Leased(unknownLease(account), 1);
    return switch (flaw) {
      case UNKNOWN_LEASE -> ask(account, event(id, none, 1));
      case WRONG_FENCE ->
          lease != null
              && ask(account, event(id, new Funding.Leased(lease.id(), lease.fence() + FAR), 1));
      case BEYOND ->
          lease != null
              && ask(
                  account,
                  event(id, new Funding.Leased(lease.id(), lease.fence()), lease.remaining() + 1));
      case OVERAGE -> ask(account, event(id, new Funding.Overage(), 1));
      case NOT_TIME_ORDERED -> ask(account, event(new Id128(1, ++numbers), none, 1));
      case TOO_EARLY ->
          ask(account, event(Ids.request(now + FAR * Scale.SECOND, 0, ++numbers), none, 1));
      case TOO_OLD ->
          ask(account, event(Ids.request(now - FAR * Scale.SECOND, 0, ++numbers), none, 1));
      case OVERFLOW ->
          account == Scale.VAST_ACCOUNT
              && ask(account, event(id, new Funding.Overage(), Long.MAX_VALUE / 2));
    };
  }

  private LedgerCommand event(Id128 requestId, Funding funding, long units) {
    return new LedgerCommand.RecordUsage(
        List.of(
            new UsageEvent(
                requestId,
                0,
                LegRole.CAP,
                funding,
                units,
                1,
                List.of(),
                Id128.ZERO,
                Bits256.ZERO,
                fleet.clientClock(Lanes.rogue()),
                writer,
                ++sequence)));
  }

  private Id128 unknownLease(int account) {
    return Ids.lease(Lanes.rogue(), account, ++numbers);
  }

  private @Nullable Lease lease(int account, int which) {
    final AccountRows rows = fleet.store().account(account);
    final int count = rows.leaseCount();
    return count == 0 ? null : rows.leaseAt(count - 1 - Math.min(which, count - 1));
  }

  private boolean ask(int account, LedgerCommand command) {
    return fleet.operators().ask(Lanes.rogue(), account, command);
  }
}
