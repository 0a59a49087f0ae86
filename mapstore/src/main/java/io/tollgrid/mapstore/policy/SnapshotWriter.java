package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.policy.RefusedPublicationException.Reason;
import io.tollgrid.mapstore.sql.Commits;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What everything that publishes shares: its transaction, its locks, and the last look at a
 * snapshot before it is in force.
 *
 * <p>A snapshot comes into force in three steps of one transaction: {@link #hold}, {@link
 * #lockAndRead}, {@link #publish}. Blocks; thread-safe.
 */
final class SnapshotWriter {
  /** The class of advisory locks under which generations are allocated. */
  private static final int LOCKS = 0x706f6c69;

  /** A class of its own: no name of a principal or plan is ever taken for it. */
  private static final int ASSIGNMENT_LOCKS = 0x61736767;

  /** Account rows are locked meanwhile: nobody who is frozen here may hold them for long. */
  private static final String SHORT_PAUSES = "SET LOCAL idle_in_transaction_session_timeout = 1000";

  private final DataSource control;
  private final SnapshotCheck check;
  private final LedgerClock clock;

  SnapshotWriter(final DataSource control, final SnapshotCheck check, final LedgerClock clock) {
    this.control = control;
    this.check = check;
    this.clock = clock;
  }

  <T> T transact(final Commits.Work<T> work) throws SQLException {
    return Commits.transact(
        control,
        connection -> {
          try (Statement first = connection.createStatement()) {
            first.execute(SHORT_PAUSES);
          }
          return work.in(connection);
        });
  }

  /** Waits for whoever publishes the same thing; ends with the transaction. */
  static void lock(final Connection connection, final String what) throws SQLException {
    lock(connection, "SELECT pg_advisory_xact_lock(?, hashtext(?))", LOCKS, what);
  }

  /** Waits for whoever has to do with assignments; ends with the transaction. */
  static void lockAssignments(final Connection connection) throws SQLException {
    lock(connection, "SELECT pg_advisory_xact_lock(?, hashtext(?))", ASSIGNMENT_LOCKS, "all");
  }

  /** The same, beside others that share it. */
  static void shareAssignments(final Connection connection) throws SQLException {
    lock(
        connection, "SELECT pg_advisory_xact_lock_shared(?, hashtext(?))", ASSIGNMENT_LOCKS, "all");
  }

  private static void lock(
      final Connection connection, final String sql, final int locks, final String what)
      throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(sql)) {
      lock.setInt(1, locks);
      lock.setString(2, what);
      lock.execute();
    }
  }

  /** The accounts of a snapshot, kept as they are until the end of the transaction. */
  static Map<Id128, AccountPolicy> hold(
      final Connection connection, final PrincipalSnapshot snapshot) throws SQLException {
    return hold(connection, accounts(snapshot));
  }

  /** These accounts, kept as they are until the end of the transaction. */
  static Map<Id128, AccountPolicy> hold(
      final Connection connection, final Collection<Id128> accounts) throws SQLException {
    return new PolicySelects(connection).accounts(accounts, " FOR SHARE");
  }

  private static Set<Id128> accounts(final PrincipalSnapshot snapshot) {
    final Set<Id128> accounts = new LinkedHashSet<>();
    snapshot.legs().stream().map(SnapshotLeg::account).forEach(accounts::add);
    return accounts;
  }

  /** What is on record about a principal, which nobody else changes until the end. */
  static @Nullable PrincipalPolicy lockAndRead(final Connection connection, final Id128 principal)
      throws SQLException {
    lock(connection, "principal/" + principal.toHex());
    return read(connection, principal);
  }

  /** What is on record about a principal at this moment. */
  static @Nullable PrincipalPolicy read(final Connection connection, final Id128 principal)
      throws SQLException {
    final List<PrincipalPolicy> known =
        new PolicySelects(connection).principals(List.of(principal));
    return known.isEmpty() ? null : known.get(0);
  }

  /**
   * Puts a snapshot into force under the next generation, unless it is already.
   *
   * @param accounts its accounts, held
   * @param before what was on record, locked
   * @throws RefusedPublicationException if it must not come into force (R42)
   */
  PrincipalSnapshot publish(
      final Connection connection,
      final PrincipalSnapshot snapshot,
      final Map<Id128, AccountPolicy> accounts,
      final @Nullable PrincipalPolicy before)
      throws SQLException {
    judge(connection, snapshot, accounts);
    if (before instanceof PrincipalPolicy.Published published
        && published.snapshot().equals(snapshot.withGeneration(before.generation()))) {
      return published.snapshot();
    }
    final PrincipalSnapshot next =
        snapshot.withGeneration(before == null ? 1 : Math.addExact(before.generation(), 1));
    write(connection, next.principal(), next.generation(), next);
    return next;
  }

  /** Revokes the principal that {@code before} is about, unless it is already. */
  PrincipalPolicy.Revoked revoke(final Connection connection, final PrincipalPolicy before)
      throws SQLException {
    if (before instanceof PrincipalPolicy.Revoked revoked) {
      return revoked;
    }
    final long generation = Math.addExact(before.generation(), 1);
    write(connection, before.principal(), generation, null);
    return new PrincipalPolicy.Revoked(before.principal(), generation);
  }

  /** Looks at a snapshot's accounts and at its plan (R42). */
  void judge(
      final Connection connection,
      final PrincipalSnapshot snapshot,
      final Map<Id128, AccountPolicy> accounts)
      throws SQLException {
    requireOpen(accounts(snapshot), accounts);
    final Plan plan = requirePlan(connection, snapshot.plan());
    final String refusal = refusal(snapshot, plan, accounts);
    if (refusal != null) {
      throw new RefusedPublicationException(Reason.UNSAFE, refusal);
    }
  }

  private @Nullable String refusal(
      final PrincipalSnapshot snapshot, final Plan plan, final Map<Id128, AccountPolicy> accounts) {
    try {
      return check.refusal(snapshot, plan, accounts);
    } catch (IllegalArgumentException e) {
      return "snapshot: " + e.getMessage();
    }
  }

  /** Refuses accounts that do not exist and such as are closed. */
  static void requireOpen(final Collection<Id128> named, final Map<Id128, AccountPolicy> accounts) {
    for (final Id128 account : named) {
      final AccountPolicy policy = accounts.get(account);
      if (policy == null) {
        throw new RefusedPublicationException(
            Reason.UNKNOWN_ACCOUNT, "legs: there is no account " + account);
      }
      if (policy.status() == AccountStatus.CLOSED) {
        throw new RefusedPublicationException(
            Reason.ACCOUNT_CLOSED, "legs: account " + account + " is closed for good");
      }
    }
  }

  /** The newest generation of a plan. */
  static Plan requirePlan(final Connection connection, final String name) throws SQLException {
    final List<Plan> plans = new PolicySelects(connection).plans(List.of(name));
    if (plans.isEmpty()) {
      throw new RefusedPublicationException(Reason.UNKNOWN_PLAN, "plan: there is no plan " + name);
    }
    return plans.get(0);
  }

  private void write(
      final Connection connection,
      final Id128 principal,
      final long generation,
      final @Nullable PrincipalSnapshot snapshot)
      throws SQLException {
    try (PreparedStatement upsert =
            connection.prepareStatement(
                "INSERT INTO snapshot (principal, generation, revoked, plan, concurrency_ceiling,"
                    + " published_at) VALUES (?, ?, ?, ?, ?, ?)"
                    + " ON CONFLICT (principal) DO UPDATE SET generation = excluded.generation,"
                    + " revoked = excluded.revoked, plan = excluded.plan,"
                    + " concurrency_ceiling = excluded.concurrency_ceiling,"
                    + " published_at = excluded.published_at");
        PreparedStatement forget =
            connection.prepareStatement("DELETE FROM snapshot_leg WHERE principal = ?");
        PreparedStatement legs =
            connection.prepareStatement(
                "INSERT INTO snapshot_leg (principal, position, account, meters)"
                    + " VALUES (?, ?, ?, ?)")) {
      upsert.setObject(1, principal.toUuid());
      upsert.setLong(2, generation);
      upsert.setBoolean(3, snapshot == null);
      upsert.setString(4, snapshot == null ? null : snapshot.plan());
      upsert.setLong(5, snapshot == null ? 0 : snapshot.concurrencyCeiling());
      upsert.setLong(6, clock.nowNanos());
      upsert.executeUpdate();
      forget.setObject(1, principal.toUuid());
      forget.executeUpdate();
      if (snapshot == null) {
        return;
      }
      for (int i = 0; i < snapshot.legs().size(); i++) {
        final SnapshotLeg leg = snapshot.legs().get(i);
        legs.setObject(1, principal.toUuid());
        legs.setInt(2, i);
        legs.setObject(3, leg.account().toUuid());
        legs.setArray(4, text(connection, leg.meters()));
        legs.addBatch();
      }
      legs.executeBatch();
    }
  }

  static Array text(final Connection connection, final Set<String> names) throws SQLException {
    return connection.createArrayOf("text", new TreeSet<>(names).toArray());
  }
}
