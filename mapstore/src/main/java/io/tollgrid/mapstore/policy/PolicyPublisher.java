package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.policy.RefusedPublicationException.Reason;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
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
  private final SnapshotWriter writer;
  private final LedgerClock clock;

  /** Writes through {@code control}. */
  public PolicyPublisher(
      final DataSource control, final SnapshotCheck check, final LedgerClock clock) {
    this.writer = new SnapshotWriter(control, check, clock);
    this.clock = clock;
  }

  /**
   * Publishes a plan.
   *
   * @return the plan with the generation under which it is in force
   * @throws SQLException if PostgreSQL failed; it may be published all the same
   */
  public Plan publish(final Plan plan) throws SQLException {
    return writer.transact(
        connection -> {
          SnapshotWriter.lock(connection, "plan/" + plan.name());
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
   * Publishes a principal's snapshot; one that was revoked is let in again by it. From then on no
   * assignment changes it.
   *
   * @return the snapshot with the generation under which it is in force
   * @throws RefusedPublicationException if it must not come into force; nothing changed
   * @throws SQLException if PostgreSQL failed; it may be published all the same
   */
  public PrincipalSnapshot publish(final PrincipalSnapshot snapshot) throws SQLException {
    return writer.transact(
        connection -> {
          final Map<Id128, AccountPolicy> accounts = SnapshotWriter.hold(connection, snapshot);
          final PrincipalPolicy before =
              SnapshotWriter.lockAndRead(connection, snapshot.principal());
          takeInHand(connection, snapshot.principal());
          return writer.publish(connection, snapshot, accounts, before);
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
    return writer.transact(
        connection -> {
          final PrincipalPolicy before = SnapshotWriter.lockAndRead(connection, principal);
          if (before == null) {
            throw new RefusedPublicationException(
                Reason.UNKNOWN_PRINCIPAL,
                "principal: nothing was ever published for "
                    + principal
                    + ", so nothing is revoked");
          }
          takeInHand(connection, principal);
          return writer.revoke(connection, before);
        });
  }

  /** Takes a principal from the assignment its snapshot was derived from, if it was. */
  private static void takeInHand(final Connection connection, final Id128 principal)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE subject SET prefix = NULL WHERE principal = ?")) {
      update.setObject(1, principal.toUuid());
      update.executeUpdate();
    }
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

  private static @Nullable Array permissions(
      final Connection connection, final Permissions permissions) throws SQLException {
    return permissions.all() ? null : SnapshotWriter.text(connection, permissions.names());
  }
}
