package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Assignment;
import io.tollgrid.ledger.policy.AssignmentLeg;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.mapstore.rows.AccountColumns;
import io.tollgrid.mapstore.rows.Fields;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads policies on one connection, inside the caller's transaction. Not thread-safe. */
final class PolicySelects {
  /** The policies of accounts; the caller may add a lock. */
  static final String ACCOUNTS =
      "SELECT id, "
          + AccountColumns.POLICY.names()
          + " FROM account WHERE id = ANY (?) ORDER BY id";

  /** What is on record about principals. */
  static final String PRINCIPALS =
      "SELECT principal, generation, revoked, plan, concurrency_ceiling FROM snapshot"
          + " WHERE principal = ANY (?) ORDER BY principal";

  /** The principals with a snapshot in force after one, by id. */
  static final String PAGE =
      "SELECT principal, generation, revoked, plan, concurrency_ceiling FROM snapshot"
          + " WHERE principal > ? AND NOT revoked ORDER BY principal LIMIT ?";

  /** The legs of principals, in their order. */
  static final String LEGS =
      "SELECT principal, account, meters FROM snapshot_leg WHERE principal = ANY (?)"
          + " ORDER BY principal, position";

  /** The newest generations of plans. */
  static final String PLANS =
      "SELECT DISTINCT ON (name) name, generation, revision, routes, work FROM plan"
          + " WHERE name = ANY (?) ORDER BY name, generation DESC";

  /** The operations of one generation of a plan, a row per price. */
  static final String OPERATIONS =
      "SELECT o.position, o.name, o.estimate_items, o.maximum_items, o.billing, o.longest,"
          + " p.meter, p.fixed_units, p.units_per_item, p.minimum_units"
          + " FROM plan_operation o JOIN plan_price p"
          + " ON p.plan = o.plan AND p.generation = o.generation AND p.operation = o.position"
          + " WHERE o.plan = ? AND o.generation = ? ORDER BY o.position, p.position";

  /** The assignment in force with the longest of these prefixes. */
  static final String ASSIGNMENT =
      "SELECT a.prefix, a.generation, a.plan, a.concurrency_ceiling FROM assignment a"
          + " WHERE a.prefix = ANY (?) AND a.plan IS NOT NULL AND NOT EXISTS (SELECT FROM assignment n"
          + " WHERE n.prefix = a.prefix AND n.generation > a.generation)"
          + " ORDER BY char_length(a.prefix) DESC LIMIT 1";

  /** The legs of one generation of an assignment, in their order. */
  static final String ASSIGNMENT_LEGS =
      "SELECT account, meters FROM assignment_leg WHERE prefix = ? AND generation = ?"
          + " ORDER BY position";

  /** The names of subjects under a prefix, after a principal. */
  static final String SUBJECTS =
      "SELECT name FROM subject WHERE principal > ? AND starts_with(name, ?)"
          + " ORDER BY principal LIMIT ?";

  /** The names of subjects whom no assignment covers and no operator let in. */
  static final String WITHOUT_PLAN =
      "SELECT s.name FROM subject s LEFT JOIN snapshot n ON n.principal = s.principal"
          + " WHERE s.principal > ? AND (n.principal IS NULL OR (n.revoked AND s.prefix IS NOT NULL))"
          + " ORDER BY s.principal LIMIT ?";

  /** Credentials in force after one, by id, each beside the revision of all. */
  static final String CREDENTIALS =
      "SELECT s.revision, c.key_id, c.digest, c.principal, c.prefix, c.expires_at"
          + " FROM credential_set s LEFT JOIN LATERAL (SELECT * FROM credential"
          + " WHERE key_id > ? AND retired_at IS NULL ORDER BY key_id LIMIT ?) c ON true"
          + " ORDER BY c.key_id";

  private final Connection connection;

  PolicySelects(final Connection connection) {
    this.connection = connection;
  }

  Map<Id128, AccountPolicy> accounts(final Collection<Id128> ids, final String lock)
      throws SQLException {
    final Map<Id128, AccountPolicy> accounts = new LinkedHashMap<>();
    try (PreparedStatement select = connection.prepareStatement(ACCOUNTS + lock)) {
      select.setArray(1, uuids(ids));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          accounts.put(id(row, 1), AccountColumns.readPolicy(row, 2));
        }
      }
    }
    return accounts;
  }

  List<PrincipalPolicy> principals(final Collection<Id128> ids) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(PRINCIPALS)) {
      select.setArray(1, uuids(ids));
      return principals(select);
    }
  }

  List<PrincipalPolicy> page(final Id128 after, final int limit) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(PAGE)) {
      select.setObject(1, after.toUuid());
      select.setInt(2, limit);
      return principals(select);
    }
  }

  private record Head(
      Id128 principal, long generation, boolean revoked, @Nullable String plan, long ceiling) {}

  private List<PrincipalPolicy> principals(final PreparedStatement select) throws SQLException {
    final List<Head> heads = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        heads.add(
            new Head(
                id(row, 1), row.getLong(2), row.getBoolean(3), row.getString(4), row.getLong(5)));
      }
    }
    final Map<Id128, List<SnapshotLeg>> legs = legs(heads.stream().map(Head::principal).toList());
    final List<PrincipalPolicy> principals = new ArrayList<>(heads.size());
    for (final Head head : heads) {
      final String plan = head.plan();
      principals.add(
          head.revoked() || plan == null
              ? new PrincipalPolicy.Revoked(head.principal(), head.generation())
              : new PrincipalPolicy.Published(
                  new PrincipalSnapshot(
                      head.principal(),
                      head.generation(),
                      plan,
                      legs.getOrDefault(head.principal(), List.of()),
                      head.ceiling())));
    }
    return principals;
  }

  private Map<Id128, List<SnapshotLeg>> legs(final List<Id128> principals) throws SQLException {
    final Map<Id128, List<SnapshotLeg>> legs = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(LEGS)) {
      select.setArray(1, uuids(principals));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          legs.computeIfAbsent(id(row, 1), principal -> new ArrayList<>())
              .add(new SnapshotLeg(id(row, 2), names(row.getArray(3))));
        }
      }
    }
    return legs;
  }

  List<Plan> plans(final Collection<String> names) throws SQLException {
    final List<Plan> plans = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(PLANS)) {
      select.setArray(1, connection.createArrayOf("text", names.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          final String name = row.getString(1);
          final long generation = row.getLong(2);
          plans.add(
              new Plan(
                  name,
                  generation,
                  Bits256.of(row.getBytes(3)),
                  permissions(row.getArray(4)),
                  permissions(row.getArray(5)),
                  operations(name, generation)));
        }
      }
    }
    return plans;
  }

  @Nullable Assignment assignment(final Collection<String> prefixes) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(ASSIGNMENT)) {
      select.setArray(1, connection.createArrayOf("text", prefixes.toArray()));
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        final String prefix = row.getString(1);
        final long generation = row.getLong(2);
        return new Assignment(
            prefix, generation, row.getString(3), legs(prefix, generation), row.getLong(4));
      }
    }
  }

  private List<AssignmentLeg> legs(final String prefix, final long generation) throws SQLException {
    final List<AssignmentLeg> legs = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(ASSIGNMENT_LEGS)) {
      select.setString(1, prefix);
      select.setLong(2, generation);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          legs.add(
              new AssignmentLeg(
                  row.getObject(1) == null ? null : id(row, 1), names(row.getArray(2))));
        }
      }
    }
    return legs;
  }

  List<Subject> subjects(final Id128 after, final String prefix, final int limit)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SUBJECTS)) {
      select.setObject(1, after.toUuid());
      select.setString(2, prefix);
      select.setInt(3, limit);
      return subjects(select);
    }
  }

  List<Subject> withoutPlan(final Id128 after, final int limit) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(WITHOUT_PLAN)) {
      select.setObject(1, after.toUuid());
      select.setInt(2, limit);
      return subjects(select);
    }
  }

  private static List<Subject> subjects(final PreparedStatement select) throws SQLException {
    final List<Subject> subjects = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        subjects.add(Subject.of(row.getString(1)));
      }
    }
    return subjects;
  }

  CredentialPage credentials(final Id128 after, final int limit) throws SQLException {
    final List<CredentialRecord> credentials = new ArrayList<>();
    long revision = 0;
    try (PreparedStatement select = connection.prepareStatement(CREDENTIALS)) {
      select.setObject(1, after.toUuid());
      select.setInt(2, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          revision = row.getLong(1);
          if (row.getObject(2) != null) {
            credentials.add(
                new CredentialRecord(
                    id(row, 2),
                    Bits256.of(row.getBytes(3)),
                    row.getObject(4) == null
                        ? new CredentialBinding.SubjectsUnder(row.getString(5))
                        : new CredentialBinding.OneSubject(id(row, 4)),
                    row.getLong(6)));
          }
        }
      }
    }
    return new CredentialPage(revision, credentials);
  }

  /** An operation while its prices are gathered. */
  private record Gathering(OperationPrice first, List<MeterPrice> prices) {
    OperationPrice whole() {
      return new OperationPrice(
          first.operation(),
          prices,
          first.estimateItems(),
          first.maximumItems(),
          first.billing(),
          first.longest());
    }
  }

  private List<OperationPrice> operations(final String plan, final long generation)
      throws SQLException {
    final Map<Integer, Gathering> gathered = new LinkedHashMap<>();
    try (PreparedStatement select = connection.prepareStatement(OPERATIONS)) {
      select.setString(1, plan);
      select.setLong(2, generation);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          final MeterPrice price =
              new MeterPrice(row.getString(7), row.getLong(8), row.getLong(9), row.getLong(10));
          final int position = row.getInt(1);
          Gathering operation = gathered.get(position);
          if (operation == null) {
            operation =
                new Gathering(
                    new OperationPrice(
                        row.getString(2),
                        List.of(price),
                        row.getLong(3),
                        row.getLong(4),
                        new Fields(row, 5).ordinal(Billing.values()),
                        Duration.ofNanos(row.getLong(6))),
                    new ArrayList<>());
            gathered.put(position, operation);
          }
          operation.prices().add(price);
        }
      }
    }
    return gathered.values().stream().map(Gathering::whole).toList();
  }

  private static Permissions permissions(final @Nullable Array names) throws SQLException {
    return names == null ? Permissions.ALL : new Permissions(false, names(names));
  }

  private static Set<String> names(final Array array) throws SQLException {
    return new LinkedHashSet<>(List.of((String[]) array.getArray()));
  }

  private Array uuids(final Collection<Id128> ids) throws SQLException {
    return connection.createArrayOf("uuid", ids.stream().map(Id128::toUuid).toArray());
  }

  private static Id128 id(final ResultSet row, final int column) throws SQLException {
    return Id128.of(row.getObject(column, UUID.class));
  }
}
