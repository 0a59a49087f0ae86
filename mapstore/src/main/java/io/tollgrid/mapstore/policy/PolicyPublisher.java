package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The one way plans and snapshots get into PostgreSQL.
 *
 * <p>Generations are allocated here: what is handed in is given the next one, whatever it says.
 * Publishing what is in force already changes nothing and answers what is there. So a publication
 * whose outcome nobody knows is simply repeated. Blocks; thread-safe.
 */
public final class PolicyPublisher {
  /** The class of advisory locks under which generations are allocated. */
  private static final int LOCKS = 0x706f6c69;

  /** Account rows are locked meanwhile: nobody who is frozen here may hold them for long. */
  private static final String SHORT_PAUSES = "SET LOCAL idle_in_transaction_session_timeout = 1000";

  private final DataSource control;
  private final SnapshotCheck check;
  private final LedgerClock clock;

  /** Writes through {@code control}. */
  public PolicyPublisher(
      final DataSource control, final SnapshotCheck check, final LedgerClock clock) {
    this.control = control;
    this.check = check;
    this.clock = clock;
  }

  /**
   * Publishes a plan.
   *
   * @return the plan with the generation under which it is in force
   * @throws SQLException if PostgreSQL failed; it may be published all the same
   */
  public Plan publish(final Plan plan) throws SQLException {
    return transact(
        connection -> {
          lock(connection, "plan/" + plan.name());
          final List<Plan> known = new PolicySelects(connection).plans(List.of(plan.name()));
          final Plan before = known.isEmpty() ? null : known.get(0);
          if (before != null && before.equals(plan.withGeneration(before.generation()))) {
            return before;
          }
          final Plan next =
              plan.withGeneration(before == null ? 1 : Math.addExact(before.generation(), 1));
          insert(connection, next);
          return next;
        });
  }

  /**
   * Publishes a principal's snapshot; one that was revoked is let in again by it.
   *
   * @return the snapshot with the generation under which it is in force
   * @throws RefusedPublicationException if it must not come into force; nothing changed
   * @throws SQLException if PostgreSQL failed; it may be published all the same
   */
  public PrincipalSnapshot publish(final PrincipalSnapshot snapshot) throws SQLException {
    return transact(
        connection -> {
          final PolicySelects selects = new PolicySelects(connection);
          judge(snapshot, selects);
          lock(connection, "principal/" + snapshot.principal().toHex());
          final PrincipalPolicy before = known(selects, snapshot.principal());
          if (before instanceof PrincipalPolicy.Published published
              && published.snapshot().equals(snapshot.withGeneration(before.generation()))) {
            return published.snapshot();
          }
          final PrincipalSnapshot next = snapshot.withGeneration(following(before));
          write(connection, next.principal(), next.generation(), next);
          return next;
        });
  }

  /**
   * Revokes a principal, once: its requests are refused until a snapshot is published again.
   *
   * @return the revocation
   * @throws RefusedPublicationException if nothing was ever published for it
   * @throws SQLException if PostgreSQL failed; it may be revoked all the same
   */
  public PrincipalPolicy.Revoked revoke(final Id128 principal) throws SQLException {
    return transact(
        connection -> {
          lock(connection, "principal/" + principal.toHex());
          final PrincipalPolicy before = known(new PolicySelects(connection), principal);
          if (before == null) {
            throw new RefusedPublicationException(
                Reason.UNKNOWN_PRINCIPAL,
                "principal: nothing was ever published for "
                    + principal
                    + ", so nothing is revoked");
          }
          if (before instanceof PrincipalPolicy.Revoked revoked) {
            return revoked;
          }
          final long generation = following(before);
          write(connection, principal, generation, null);
          return new PrincipalPolicy.Revoked(principal, generation);
        });
  }

  /** Looks at accounts and plan, and keeps the accounts as they are until the end (R42). */
  private void judge(final PrincipalSnapshot snapshot, final PolicySelects selects)
      throws SQLException {
    final Set<Id128> legs = new LinkedHashSet<>();
    snapshot.legs().stream().map(SnapshotLeg::account).forEach(legs::add);
    final Map<Id128, AccountPolicy> accounts = selects.accounts(legs, " FOR SHARE");
    for (final Id128 account : legs) {
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
    final List<Plan> plans = selects.plans(List.of(snapshot.plan()));
    if (plans.isEmpty()) {
      throw new RefusedPublicationException(
          Reason.UNKNOWN_PLAN, "plan: there is no plan " + snapshot.plan());
    }
    final String refusal = check.refusal(snapshot, plans.get(0), accounts);
    if (refusal != null) {
      throw new RefusedPublicationException(Reason.UNSAFE, refusal);
    }
  }

  private static @Nullable PrincipalPolicy known(final PolicySelects selects, final Id128 principal)
      throws SQLException {
    final List<PrincipalPolicy> known = selects.principals(List.of(principal));
    return known.isEmpty() ? null : known.get(0);
  }

  private static long following(final @Nullable PrincipalPolicy before) {
    return before == null ? 1 : Math.addExact(before.generation(), 1);
  }

  private void insert(final Connection connection, final Plan plan) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO plan (name, generation, revision, routes, work, published_at)"
                + " VALUES (?, ?, ?, ?, ?, ?)")) {
      insert.setString(1, plan.name());
      insert.setLong(2, plan.generation());
      insert.setBytes(3, plan.revision().toBytes());
      insert.setArray(4, permissions(connection, plan.routes()));
      insert.setArray(5, permissions(connection, plan.work()));
      insert.setLong(6, clock.nowNanos());
      insert.executeUpdate();
    }
    try (PreparedStatement operations =
            connection.prepareStatement(
                "INSERT INTO plan_operation (plan, generation, position, name, estimate_items,"
                    + " maximum_items, billing, longest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        PreparedStatement prices =
            connection.prepareStatement(
                "INSERT INTO plan_price (plan, generation, operation, position, meter,"
                    + " fixed_units, units_per_item, minimum_units)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (int o = 0; o < plan.operations().size(); o++) {
        final OperationPrice operation = plan.operations().get(o);
        operations.setString(1, plan.name());
        operations.setLong(2, plan.generation());
        operations.setInt(3, o);
        operations.setString(4, operation.operation());
        operations.setLong(5, operation.estimateItems());
        operations.setLong(6, operation.maximumItems());
        operations.setInt(7, stored(operation.billing()));
        operations.setLong(8, operation.longest().toNanos());
        operations.addBatch();
        for (int p = 0; p < operation.prices().size(); p++) {
          final MeterPrice price = operation.prices().get(p);
          prices.setString(1, plan.name());
          prices.setLong(2, plan.generation());
          prices.setInt(3, o);
          prices.setInt(4, p);
          prices.setString(5, price.meter());
          prices.setLong(6, price.fixedUnits());
          prices.setLong(7, price.unitsPerItem());
          prices.setLong(8, price.minimumUnits());
          prices.addBatch();
        }
      }
      operations.executeBatch();
      prices.executeBatch();
    }
  }

  /** A constant by its position: its order may only grow. */
  @SuppressWarnings("EnumOrdinal")
  private static int stored(final Billing billing) {
    return billing.ordinal();
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

  private static @Nullable Array permissions(
      final Connection connection, final Permissions permissions) throws SQLException {
    return permissions.all() ? null : text(connection, permissions.names());
  }

  private static Array text(final Connection connection, final Set<String> names)
      throws SQLException {
    return connection.createArrayOf("text", new TreeSet<>(names).toArray());
  }

  private <T> T transact(final Commits.Work<T> work) throws SQLException {
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
  private static void lock(final Connection connection, final String what) throws SQLException {
    try (PreparedStatement lock =
        connection.prepareStatement("SELECT pg_advisory_xact_lock(?, hashtext(?))")) {
      lock.setInt(1, LOCKS);
      lock.setString(2, what);
      lock.execute();
    }
  }
}
