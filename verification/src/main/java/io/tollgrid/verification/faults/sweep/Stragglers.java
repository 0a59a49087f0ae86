package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.verification.faults.check.Violation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Usage that arrives for leases which were written off: what the loss covers becomes billed, one
 * unit more changes nothing (R12). Used by one thread.
 */
final class Stragglers {
  private static final int ONE_LEASE_IN = 100;

  /**
   * A lease of which usage is claimed.
   *
   * @param account whose
   * @param lease as it was before it was written off
   * @param claimed units that are claimed first
   */
  record Claim(Id128 account, Lease lease, long claimed) {
    /** One unit more than is left then. */
    long tooMuch() {
      return lease.remaining() - claimed + 1;
    }
  }

  private final SplittableRandom random;
  private final LedgerClock clock;
  private final Id128 writer;
  private long sequence;

  Stragglers(long seed, LedgerClock clock) {
    this.random = new SplittableRandom(seed ^ 0x57A6);
    this.clock = clock;
    this.writer = new Id128(random.nextLong(), random.nextLong());
  }

  /** Claims usage of some of the leases, too much of each afterwards, and judges what became. */
  List<Violation> claim(
      List<AccountLedger> founded,
      SweepLedgers holders,
      SweepEvidence evidence,
      Map<String, Long> facts)
      throws SQLException {
    final List<Claim> claims = new ArrayList<>();
    for (final AccountLedger account : founded) {
      for (final Lease lease : account.active()) {
        if (random.nextInt(ONE_LEASE_IN) == 0) {
          claims.add(new Claim(account.id(), lease, 1 + random.nextLong(lease.remaining())));
        }
      }
    }
    final List<Outcome> answers =
        holders.askEach(
            claims,
            Claim::account,
            claim ->
                new LedgerCommand.RecordUsage(
                    List.of(event(claim, claim.claimed()), event(claim, claim.tooMuch()))));
    final Map<Id128, Map<Id128, ReclaimedAccount.StoredLease>> stored = evidence.leases();
    final List<Violation> violations = new ArrayList<>();
    long units = 0;
    for (int i = 0; i < claims.size(); i++) {
      final Claim claim = claims.get(i);
      units = Math.addExact(units, claim.claimed());
      violations.addAll(
          check(
              claim,
              answers.get(i),
              stored.getOrDefault(claim.account(), Map.of()).get(claim.lease().id())));
    }
    facts.put("stragglers", (long) claims.size());
    facts.put("straggler_units", units);
    facts.put(
        "units_billed", evidence.number("SELECT coalesce(sum(billed), 0)::bigint FROM account"));
    facts.put(
        "stragglers_beyond_loss",
        evidence.number("SELECT count(*) FROM usage_rejected WHERE verdict = 7"));
    return violations;
  }

  /** What became of one claim. */
  static List<Violation> check(
      Claim claim, Outcome answer, ReclaimedAccount.@Nullable StoredLease stored) {
    final List<Violation> violations = new ArrayList<>();
    final Outcome expected =
        new Outcome.UsageRecorded(List.of(UsageVerdict.STRAGGLER, UsageVerdict.BEYOND_LOSS));
    if (!answer.equals(expected)) {
      violations.add(violation(claim, expected.toString(), answer.toString()));
    }
    final Lease lease = claim.lease();
    if (stored == null
        || stored.billed() != lease.billed() + claim.claimed()
        || stored.loss() != lease.remaining() - claim.claimed()
        || stored.returned() != lease.returned()) {
      violations.add(
          violation(
              claim,
              claim.claimed() + " of " + lease.remaining() + " units billed",
              String.valueOf(stored)));
    }
    return violations;
  }

  private static Violation violation(Claim claim, String expected, String found) {
    return new Violation(
        Violation.Kind.STRAGGLER_WRONG,
        claim.account(),
        "usage of lease " + claim.lease().id(),
        expected,
        found);
  }

  private UsageEvent event(Claim claim, long units) {
    final long now = clock.nowNanos();
    sequence++;
    return new UsageEvent(
        Id128.timeOrdered(TimeUnit.NANOSECONDS.toMillis(now), random.nextLong(), random.nextLong()),
        0,
        LegRole.BILLING,
        new Funding.Leased(claim.lease().id(), claim.lease().fence()),
        units,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        now,
        writer,
        sequence);
  }
}
