package io.tollgrid.verification.faults.ingest;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.verification.faults.sweep.SeededAccount;
import io.tollgrid.verification.faults.sweep.Seeding;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Founds the accounts of a plan, each with a lease that was written off and one that is active. */
final class UsageAccounts {
  /** How long a lease of this run may live: longer than any run. */
  static final Duration LEASE = Duration.ofHours(23);

  private static final Duration SHORT_LEASE = Duration.ofSeconds(60);
  private static final Duration AGO = Duration.ofHours(2);
  private static final long DEPOSIT_UNITS = 8 * UsagePlan.GRANT_UNITS;

  private UsageAccounts() {}

  /** Writes them on a connection; what is written is the caller's to commit. */
  static void found(UsagePlan plan, LedgerLimits limits, Connection connection, long nowNanos)
      throws SQLException {
    try (Seeding seeding = new Seeding(connection, nowNanos)) {
      for (int account = 0; account < plan.accounts(); account++) {
        seeding.add(account(plan, limits, account, nowNanos));
      }
      seeding.flush();
    }
  }

  private static SeededAccount account(
      UsagePlan plan, LedgerLimits limits, int index, long nowNanos) {
    final SeededAccount account = new SeededAccount(plan.account(index), limits);
    final long began = nowNanos - AGO.toNanos();
    final long lostAt = began + AGO.toNanos() / 2;
    account.ask(
        new LedgerCommand.Create(
            plan.lease(index, -1),
            AccountStatus.ACTIVE,
            CapacityClass.BEST_EFFORT,
            UsagePlan.isElastic(index)
                ? AccountTerms.elastic(UsagePlan.GRANT_UNITS)
                : AccountTerms.STRICT),
        began);
    account.ask(new LedgerCommand.Deposit(plan.lease(index, -2), DEPOSIT_UNITS), began);
    acquire(account, plan.lease(index, UsagePlan.LOST_FENCE), SHORT_LEASE, began);
    account.ask(new LedgerCommand.Reclaim(Long.MAX_VALUE), lostAt);
    acquire(account, plan.lease(index, UsagePlan.ACTIVE_FENCE), LEASE, nowNanos);
    return account;
  }

  private static void acquire(SeededAccount account, Id128 lease, Duration life, long atNanos) {
    account.ask(
        new LedgerCommand.Acquire(
            lease,
            lease,
            GrantPolicy.of(UsagePlan.GRANT_UNITS, UsagePlan.GRANT_UNITS),
            life.toNanos(),
            0),
        atNanos);
    final long granted =
        account.ledger().active().stream().mapToLong(each -> each.remaining()).sum();
    if (granted != UsagePlan.GRANT_UNITS) {
      throw new IllegalStateException("a lease was granted " + granted + " units");
    }
  }
}
