package io.tollgrid.ledger.oracle;

import static java.math.BigInteger.ZERO;

import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every lease an account ever had, and what holders and sweeps do to them (R2, R3, R11, R12). */
final class OracleLeases {
  private final LedgerLimits limits;
  private final OracleBooks books;
  private final List<OracleLease> leases = new ArrayList<>();
  private OracleTurn turn = new OracleTurn(0, 0);

  OracleLeases(LedgerLimits limits, OracleBooks books) {
    this.limits = limits;
    this.books = books;
  }

  /** Begins a command. */
  void begin(OracleTurn next) {
    turn = next;
  }

  List<OracleLease> all() {
    return leases;
  }

  private static Outcome refused(Refusal reason) {
    return new Outcome.Refused(reason, null);
  }

  @Nullable OracleLease find(Id128 leaseId) {
    return leases.stream().filter(lease -> lease.id.equals(leaseId)).findFirst().orElse(null);
  }

  BigInteger outstanding() {
    return leases.stream()
        .filter(OracleLease::active)
        .map(OracleLease::left)
        .reduce(ZERO, BigInteger::add);
  }

  BigInteger lost(LeaseState state) {
    return leases.stream()
        .filter(lease -> lease.state == state)
        .map(lease -> lease.loss)
        .reduce(ZERO, BigInteger::add);
  }

  private Evidence evidence() {
    return new Evidence(
        books.balance().add(outstanding()).longValueExact(),
        books.periodEnd.longValueExact(),
        turn.version());
  }

  private Outcome noUnits(long demand) {
    final Evidence evidence = evidence();
    noteDemand(ZERO, demand);
    return new Outcome.Refused(
        evidence.remainingUnits() == 0 ? Refusal.BALANCE_EXHAUSTED : Refusal.BALANCE_INSUFFICIENT,
        evidence);
  }

  /** R2: what the balance and this grant cannot fund, but the outstanding units could. */
  private void noteDemand(BigInteger granted, long demand) {
    final BigInteger wanted = BigInteger.valueOf(demand);
    final BigInteger own = books.balance().add(granted);
    turn.unmet =
        wanted.compareTo(own) > 0 && wanted.compareTo(books.balance().add(outstanding())) <= 0
            ? demand
            : 0;
  }

  private long activeLeases() {
    return leases.stream().filter(OracleLease::active).count();
  }

  private static BigInteger policySize(BigInteger balance, GrantPolicy policy) {
    final BigInteger cap =
        BigInteger.valueOf(policy.minimumUnits())
            .max(balance.divide(BigInteger.valueOf(policy.shrink())));
    return BigInteger.valueOf(policy.targetUnits()).min(cap).min(balance);
  }

  Outcome acquire(LedgerCommand.Acquire command) {
    if (command.ttlNanos() > limits.maxTtlNanos()) {
      return refused(Refusal.TTL_TOO_LONG);
    }
    if (activeLeases() >= limits.maxActiveLeases()) {
      return refused(Refusal.TOO_MANY_LEASES);
    }
    final BigInteger units =
        policySize(books.balance(), command.policy())
            .min(BigInteger.valueOf(command.policy().maxGrantUnits()));
    if (units.signum() == 0) {
      return noUnits(command.demandUnits());
    }
    return grant(
        command.leaseId(),
        command.holder(),
        command,
        units,
        command.ttlNanos(),
        ZERO,
        command.demandUnits());
  }

  private Outcome grant(
      Id128 leaseId,
      Id128 holder,
      LedgerCommand command,
      BigInteger units,
      long ttl,
      BigInteger restored,
      long demand) {
    final BigInteger ofAllowance = units.min(books.allowance);
    books.allowance = books.allowance.subtract(ofAllowance);
    books.topUp = books.topUp.subtract(units.subtract(ofAllowance));
    final OracleLease lease =
        new OracleLease(
            leaseId,
            holder,
            leases.size() + 1L,
            command,
            books.period,
            ofAllowance,
            units.subtract(ofAllowance),
            turn.now + ttl,
            limits.graceNanos());
    leases.add(lease);
    turn.changed = true;
    noteDemand(units, demand);
    return new Outcome.Granted(
        leaseId,
        lease.fence,
        units.longValueExact(),
        lease.expiry,
        restored.longValueExact(),
        evidence());
  }

  Outcome consolidate(LedgerCommand.Consolidate command) {
    final OracleLease old = find(command.oldLeaseId());
    if (old == null || old.fence != command.oldFence()) {
      return refused(Refusal.CAPABILITY);
    }
    if (!old.active()) {
      return refused(Refusal.LEASE_ENDED);
    }
    final BigInteger free = BigInteger.valueOf(command.freeUnits());
    if (free.compareTo(old.left()) > 0) {
      return refused(Refusal.BEYOND_LEASE);
    }
    if (command.ttlNanos() > limits.maxTtlNanos()) {
      return refused(Refusal.TTL_TOO_LONG);
    }
    final boolean endsOld = free.equals(old.left());
    if (activeLeases() - (endsOld ? 1 : 0) >= limits.maxActiveLeases()) {
      return refused(Refusal.TOO_MANY_LEASES);
    }
    final BigInteger restorable = old.period == books.period ? free : free.min(old.topUpLeft);
    final BigInteger balance = books.balance().add(restorable);
    if (balance.signum() == 0) {
      return noUnits(command.demandUnits());
    }
    returnUnits(old, free);
    if (endsOld) {
      old.end(turn.now);
    }
    BigInteger units = restorable.max(policySize(balance, command.policy()));
    final BigInteger demand = BigInteger.valueOf(command.demandUnits());
    if (demand.compareTo(balance) <= 0) {
      units = units.max(demand);
    }
    return grant(
        command.leaseId(),
        command.holder(),
        command,
        units,
        command.ttlNanos(),
        restorable,
        command.demandUnits());
  }

  /** Gives units of a lease back; answers how many expired. */
  private BigInteger returnUnits(OracleLease lease, BigInteger units) {
    final BigInteger ofAllowance = lease.giveBack(units);
    books.topUp = books.topUp.add(units.subtract(ofAllowance));
    turn.changed = true;
    if (lease.period == books.period) {
      books.allowance = books.allowance.add(ofAllowance);
      return ZERO;
    }
    books.expired = books.expired.add(ofAllowance);
    return ofAllowance;
  }

  Outcome step(LedgerCommand.LeaseStepCommand command) {
    final OracleLease lease = find(command.leaseId());
    if (lease == null || lease.fence != command.fence()) {
      return refused(Refusal.CAPABILITY);
    }
    if (!lease.active()) {
      return refused(Refusal.LEASE_ENDED);
    }
    if (command.step() != (lease.lastStep == null ? 1 : lease.lastStep.number() + 1)) {
      return refused(Refusal.STEP_GAP);
    }
    if (command instanceof LedgerCommand.Renew renew) {
      if (renew.ttlNanos() > limits.maxTtlNanos()) {
        return refused(Refusal.TTL_TOO_LONG);
      }
      lease.expiry = Math.max(lease.expiry, turn.now + renew.ttlNanos());
      return stepped(
          lease,
          new LeaseStep(
              command.step(), LeaseStep.Kind.RENEW, renew.ttlNanos(), 0, 0, 0, lease.expiry));
    }
    final boolean ends = command instanceof LedgerCommand.Release;
    final long units =
        command instanceof LedgerCommand.Release release
            ? release.unspentUnits()
            : ((LedgerCommand.Return) command).units();
    if (BigInteger.valueOf(units).compareTo(lease.left()) > 0) {
      return refused(Refusal.BEYOND_LEASE);
    }
    final long expired = returnUnits(lease, BigInteger.valueOf(units)).longValueExact();
    final long loss = ends ? lease.left().longValueExact() : 0;
    if (ends) {
      lease.end(turn.now);
    }
    return stepped(
        lease,
        new LeaseStep(
            command.step(),
            ends ? LeaseStep.Kind.RELEASE : LeaseStep.Kind.RETURN,
            units,
            units - expired,
            expired,
            loss,
            lease.expiry));
  }

  private Outcome stepped(OracleLease lease, LeaseStep step) {
    turn.changed = true;
    lease.lastStep = step;
    return new Outcome.Stepped(lease.id, step);
  }

  Outcome reclaim(long cutoff) {
    final long due = Math.min(cutoff, turn.now);
    final List<OracleLease> all =
        leases.stream()
            .filter(lease -> lease.active() && lease.expiry + lease.grace <= due)
            .sorted(Comparator.comparingLong(lease -> lease.expiry + lease.grace))
            .toList();
    if (all.isEmpty()) {
      return refused(Refusal.NOTHING_DUE);
    }
    final List<OracleLease> taken = all.subList(0, Math.min(all.size(), limits.maxReclaimed()));
    BigInteger loss = ZERO;
    for (final OracleLease lease : taken) {
      lease.end(turn.now);
      loss = loss.add(lease.loss);
    }
    turn.changed = true;
    return new Outcome.Reclaimed(taken.size(), loss.longValueExact(), all.size() > taken.size());
  }

  void archive() {
    final List<OracleLease> resident =
        new ArrayList<>(
            leases.stream()
                .filter(lease -> lease.state == LeaseState.LOSS)
                .sorted(
                    Comparator.comparingLong((OracleLease lease) -> lease.endedAt)
                        .thenComparingLong(lease -> lease.fence))
                .toList());
    while (!resident.isEmpty()
        && (resident.size() > limits.lossKept()
            || turn.now - resident.get(0).endedAt >= limits.stragglerHorizonNanos())) {
      resident.remove(0).state = LeaseState.ARCHIVED;
    }
  }
}
