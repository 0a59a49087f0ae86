package io.tollgrid.ledger;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What acquire, consolidate, return, renew, release and reclaim do to a draft. */
final class LeaseCommands {
  private LeaseCommands() {}

  static Ledger.Result run(
      Attempt attempt, LedgerDraft draft, LedgerCommand.HolderCommand command) {
    if (command instanceof LedgerCommand.Acquire acquire) {
      return acquire(attempt, draft, acquire);
    }
    if (command instanceof LedgerCommand.Consolidate consolidate) {
      return consolidate(attempt, draft, consolidate);
    }
    return step(attempt, draft, (LedgerCommand.LeaseStepCommand) command);
  }

  private static Ledger.Result acquire(
      Attempt attempt, LedgerDraft draft, LedgerCommand.Acquire command) {
    final Refusal forbidden = grantForbidden(draft, 0, command.ttlNanos());
    if (forbidden != null) {
      return Ledger.Result.refused(forbidden);
    }
    final GrantPolicy policy = command.policy();
    final long units =
        GrantFormulas.acquire(
            draft.balance(), policy.targetUnits(), cap(draft, policy), policy.maxGrantUnits());
    if (units == 0) {
      return outOfUnits(draft).withUnmetDemand(unmet(draft, 0, command.demandUnits()));
    }
    final Lease lease =
        draft.grant(
            command.leaseId(),
            command.holder(),
            LedgerCodec.bodyHash(attempt.request()),
            units,
            command.ttlNanos());
    return granted(draft, lease, 0).withUnmetDemand(unmet(draft, units, command.demandUnits()));
  }

  /*
   * All or nothing (R3): everything that can refuse is asked before the first unit moves, except the one refusal that
   * depends on the fold itself. A fold can restore nothing, when all it gives back belonged to an older period, and the
   * balance can be empty too; then there is nothing to grant. That is known before the fold as well, so it is asked first.
   */
  private static Ledger.Result consolidate(
      Attempt attempt, LedgerDraft draft, LedgerCommand.Consolidate command) {
    final Lease old = capability(attempt, draft, command.oldLeaseId());
    if (old == null || old.fence() != command.oldFence()) {
      return Ledger.Result.refused(Refusal.CAPABILITY);
    }
    if (old.state() != LeaseState.ACTIVE) {
      return Ledger.Result.refused(Refusal.LEASE_ENDED);
    }
    if (command.freeUnits() > old.remaining()) {
      return Ledger.Result.refused(Refusal.BEYOND_LEASE);
    }
    final int ending = command.freeUnits() == old.remaining() ? 1 : 0;
    final Refusal forbidden = grantForbidden(draft, ending, command.ttlNanos());
    if (forbidden != null) {
      return Ledger.Result.refused(forbidden);
    }
    if (draft.balance() == 0 && restorable(draft, old, command.freeUnits()) == 0) {
      return outOfUnits(draft).withUnmetDemand(unmet(draft, 0, command.demandUnits()));
    }
    final long restored = draft.giveBack(old, command.freeUnits());
    final GrantPolicy policy = command.policy();
    final long units =
        GrantFormulas.consolidate(
            draft.balance(),
            restored,
            policy.targetUnits(),
            cap(draft, policy),
            command.demandUnits());
    final Lease folded = draft.require(old.id());
    if (folded.remaining() == 0) {
      draft.end(folded);
    }
    final Lease lease =
        draft.grant(
            command.leaseId(),
            command.holder(),
            LedgerCodec.bodyHash(attempt.request()),
            units,
            command.ttlNanos());
    return granted(draft, lease, restored)
        .withUnmetDemand(unmet(draft, units, command.demandUnits()));
  }

  private static Ledger.Result step(
      Attempt attempt, LedgerDraft draft, LedgerCommand.LeaseStepCommand command) {
    final Lease lease = capability(attempt, draft, command.leaseId());
    if (lease == null || lease.fence() != command.fence()) {
      return Ledger.Result.refused(Refusal.CAPABILITY);
    }
    if (lease.state() != LeaseState.ACTIVE) {
      return Ledger.Result.refused(Refusal.LEASE_ENDED);
    }
    final long last = lease.lastStep() == null ? 0 : lease.lastStep().number();
    assert command.step() > last : "a step that was taken is answered from its receipt";
    if (command.step() != last + 1) {
      return Ledger.Result.refused(Refusal.STEP_GAP);
    }
    if (command instanceof LedgerCommand.Renew renew) {
      return renew(draft, lease, renew);
    }
    final boolean ends = command instanceof LedgerCommand.Release;
    return giveBack(draft, lease, command, Replays.argumentOf(command), ends);
  }

  private static Ledger.Result renew(LedgerDraft draft, Lease lease, LedgerCommand.Renew command) {
    if (command.ttlNanos() > draft.limits().maxTtlNanos()) {
      return Ledger.Result.refused(Refusal.TTL_TOO_LONG);
    }
    final long expiresAtNanos =
        Math.max(
            lease.expiresAtNanos(),
            LedgerDraft.expiryAfter(draft.nowNanos(), command.ttlNanos(), lease.graceNanos()));
    final LeaseStep step =
        new LeaseStep(
            command.step(), LeaseStep.Kind.RENEW, command.ttlNanos(), 0, 0, 0, expiresAtNanos);
    draft.replaceActive(lease.withExpiry(expiresAtNanos).withStep(step));
    return Ledger.Result.of(new Outcome.Stepped(lease.id(), step));
  }

  private static Ledger.Result giveBack(
      LedgerDraft draft,
      Lease lease,
      LedgerCommand.LeaseStepCommand command,
      long units,
      boolean ends) {
    if (units > lease.remaining()) {
      return Ledger.Result.refused(Refusal.BEYOND_LEASE);
    }
    final long restored = draft.giveBack(lease, units);
    final long loss = ends ? LeaseArithmetic.lossAtEnd(lease.remaining(), units) : 0;
    final LeaseStep step =
        new LeaseStep(
            command.step(),
            Replays.kindOf(command),
            units,
            restored,
            units - restored,
            loss,
            lease.expiresAtNanos());
    final Lease stepped = draft.require(lease.id()).withStep(step);
    draft.replaceActive(stepped);
    if (ends) {
      draft.end(stepped);
    }
    return Ledger.Result.of(new Outcome.Stepped(lease.id(), step));
  }

  /**
   * Writes off the leases due at the cutoff, oldest due first, at most as many as one command may
   * take (R12, R19).
   */
  static Ledger.Result reclaim(LedgerDraft draft, long cutoffNanos) {
    final long dueNanos = Math.min(cutoffNanos, draft.nowNanos());
    final List<Lease> due =
        draft.active().stream()
            .filter(lease -> lease.reclaimableAtNanos() <= dueNanos)
            .sorted(
                Comparator.comparingLong(Lease::reclaimableAtNanos).thenComparingLong(Lease::fence))
            .toList();
    if (due.isEmpty()) {
      return Ledger.Result.refused(Refusal.NOTHING_DUE);
    }
    final int taken = Math.min(due.size(), draft.limits().maxReclaimed());
    long loss = 0;
    for (final Lease lease : due.subList(0, taken)) {
      loss = Math.addExact(loss, draft.end(lease).loss());
    }
    return Ledger.Result.of(new Outcome.Reclaimed(taken, loss, due.size() > taken));
  }

  /** What forbids one more lease, when {@code ending} of the active ones end with it. */
  private static @Nullable Refusal grantForbidden(LedgerDraft draft, int ending, long ttlNanos) {
    if (ttlNanos > draft.limits().maxTtlNanos()) {
      return Refusal.TTL_TOO_LONG;
    }
    return draft.active().size() - ending >= draft.limits().maxActiveLeases()
        ? Refusal.TOO_MANY_LEASES
        : null;
  }

  private static Ledger.Result outOfUnits(LedgerDraft draft) {
    final Evidence evidence = draft.evidence();
    return Ledger.Result.of(
        new Outcome.Refused(
            evidence.remainingUnits() == 0
                ? Refusal.BALANCE_EXHAUSTED
                : Refusal.BALANCE_INSUFFICIENT,
            evidence));
  }

  private static Ledger.Result granted(LedgerDraft draft, Lease lease, long restored) {
    return Ledger.Result.of(
        new Outcome.Granted(
            lease.id(),
            lease.fence(),
            lease.granted(),
            lease.expiresAtNanos(),
            restored,
            draft.evidence()));
  }

  /** The most one grant may take from the balance as it is now. */
  private static long cap(LedgerDraft draft, GrantPolicy policy) {
    return GrantFormulas.cap(draft.balance(), policy.minimumUnits(), policy.shrink());
  }

  private static long unmet(LedgerDraft draft, long granted, long demand) {
    return GrantFormulas.unmet(draft.balance(), granted, draft.remaining(), demand);
  }

  private static long restorable(LedgerDraft draft, Lease lease, long units) {
    return LeaseArithmetic.restoredOfReturn(
        units,
        LeaseArithmetic.topUpOfReturn(
            units, lease.remaining(), lease.grantedTopUp(), lease.returnedTopUp()),
        lease.periodNumber() == draft.period().number());
  }

  /** The lease from the draft, the entry's ended leases, or its row. */
  private static @Nullable Lease capability(Attempt attempt, LedgerDraft draft, Id128 leaseId) {
    final Lease resident = draft.lease(leaseId);
    return resident != null ? resident : attempt.leaseRow(leaseId);
  }
}
