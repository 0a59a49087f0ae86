package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.verification.faults.history.Operation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a run's evidence from PostgreSQL, column by column and without the product's own readers: a
 * mistake in those must not hide itself.
 *
 * <p>Not thread-safe.
 */
public final class PostgresEvidence {
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final int FETCH_ROWS = 2_000;

  /*
   * Raises are noted by the database itself, in the raising transaction, so that no process can forget to. The sequence
   * is drawn while the partition's row is locked: for one partition it is the order of the raises. Whoever writes a
   * transition holds a lock on that row as well, so every raise of it up to the sequence's last value is committed then.
   */
  private static final String NOTE_RAISES =
      """
      CREATE SCHEMA IF NOT EXISTS faults;
      CREATE TABLE IF NOT EXISTS faults.fence_raise (
        sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partition integer NOT NULL,
        before bigint NOT NULL,
        after bigint NOT NULL,
        owner text NOT NULL);
      CREATE OR REPLACE FUNCTION faults.note_raise() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO faults.fence_raise (partition, before, after, owner)
          VALUES (NEW.id, OLD.fence, NEW.fence, current_setting('application_name'));
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER faults_note_raise AFTER UPDATE OF fence ON ledger_partition
        FOR EACH ROW EXECUTE FUNCTION faults.note_raise();
      CREATE TABLE IF NOT EXISTS faults.written (
        account uuid NOT NULL,
        version bigint NOT NULL,
        owner text NOT NULL,
        raises bigint NOT NULL);
      CREATE OR REPLACE FUNCTION faults.note_written() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO faults.written
          SELECT account, version, current_setting('application_name'),
              (SELECT last_value FROM faults.fence_raise_sequence_seq)
            FROM rows;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER faults_note_written AFTER INSERT ON journal
        REFERENCING NEW TABLE AS rows
        FOR EACH STATEMENT EXECUTE FUNCTION faults.note_written();
      """;

  private final Connection connection;

  /** Reads through this connection, which must not be in auto-commit mode. */
  public PostgresEvidence(Connection connection) {
    this.connection = connection;
  }

  /** Makes the database note every change of an ownership fence from now on. */
  public void noteRaises() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(NOTE_RAISES);
    }
    connection.commit();
  }

  /**
   * Everything there is, together with what was recorded outside.
   *
   * @param unknown versions of accounts that their owners were not told of
   */
  public FleetEvidence read(Collection<Operation> history, Map<Id128, Set<Long>> unknown)
      throws SQLException {
    return FleetEvidence.of(history, journal(), accounts(), raises(), writes(unknown));
  }

  /** Every change of an ownership fence so far. */
  public List<FenceRaise> raises() throws SQLException {
    final List<FenceRaise> raises = new ArrayList<>();
    each(
        "SELECT * FROM faults.fence_raise ORDER BY sequence",
        row ->
            raises.add(
                new FenceRaise(
                    row.getLong("sequence"),
                    row.getInt("partition"),
                    row.getLong("before"),
                    row.getLong("after"),
                    row.getString("owner"))));
    return raises;
  }

  private List<Written> writes(Map<Id128, Set<Long>> unknown) throws SQLException {
    final List<Written> writes = new ArrayList<>();
    each(
        "SELECT * FROM faults.written",
        row -> {
          final Id128 account = id(row, "account");
          final long version = row.getLong("version");
          writes.add(
              new Written(
                  account,
                  version,
                  row.getString("owner"),
                  row.getLong("raises"),
                  unknown.getOrDefault(account, Set.of()).contains(version)));
        });
    return writes;
  }

  /** Partitions whose fence was last raised by this owner. */
  public int lastRaisedBy(String owner) throws SQLException {
    final List<String> owners = new ArrayList<>();
    each(
        "SELECT DISTINCT ON (partition) owner FROM faults.fence_raise"
            + " ORDER BY partition, sequence DESC",
        row -> owners.add(row.getString("owner")));
    return Collections.frequency(owners, owner);
  }

  private List<JournalRow> journal() throws SQLException {
    final String committed =
        keepsCommitTimes()
            ? "(extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000000)::bigint"
            : "NULL::bigint";
    final List<JournalRow> journal = new ArrayList<>();
    each(
        "SELECT journal.*, " + committed + " AS committed_micros FROM journal",
        row -> {
          final long micros = row.getLong("committed_micros");
          final long committedAtNanos = row.wasNull() ? Long.MAX_VALUE : micros * NANOS_PER_MICRO;
          journal.add(
              new JournalRow(
                  id(row, "account"),
                  row.getLong("version"),
                  LedgerCodec.decodeRequest(row.getBytes("request")),
                  LedgerCodec.decodeOutcome(row.getBytes("outcome")),
                  row.getLong("ledger_time"),
                  numbers(row),
                  committedAtNanos));
        });
    return journal;
  }

  private boolean keepsCommitTimes() throws SQLException {
    final List<String> setting = new ArrayList<>();
    each("SHOW track_commit_timestamp", row -> setting.add(row.getString(1)));
    return setting.equals(List.of("on"));
  }

  private List<StoredAccount> accounts() throws SQLException {
    final Map<Id128, Map<RowKey, StoredRow>> rows = rows();
    final Map<Id128, Long> funded = new HashMap<>();
    each(
        "SELECT account, sum(units)::bigint AS units FROM deposit GROUP BY account",
        row -> funded.put(id(row, "account"), row.getLong("units")));
    final List<StoredAccount> accounts = new ArrayList<>();
    each(
        "SELECT * FROM account",
        row -> {
          final Id128 id = id(row, "id");
          accounts.add(
              new StoredAccount(
                  id,
                  row.getLong("version"),
                  row.getLong("as_of"),
                  numbers(row),
                  constant(AccountStatus.values(), row, "status"),
                  row.getLong("period_end"),
                  rows.getOrDefault(id, Map.of()),
                  funded.getOrDefault(id, 0L)));
        });
    return accounts;
  }

  private Map<Id128, Map<RowKey, StoredRow>> rows() throws SQLException {
    final Map<Id128, Map<RowKey, StoredRow>> rows = new HashMap<>();
    each(
        "SELECT * FROM lease",
        row ->
            of(rows, row)
                .put(new RowKey.LeaseKey(id(row, "id")), new StoredRow.LeaseRow(lease(row))));
    each(
        "SELECT * FROM command",
        row ->
            of(rows, row)
                .put(
                    new RowKey.CommandKey(id(row, "id")),
                    new StoredRow.CommandRow(
                        id(row, "body_hash"), LedgerCodec.decodeApplied(row.getBytes("outcome")))));
    each(
        "SELECT * FROM usage_request",
        row ->
            of(rows, row)
                .put(
                    new RowKey.UsageKey(id(row, "request_id"), row.getInt("part")),
                    new StoredRow.UsageRow(
                        constant(UsageVerdict.values(), row, "verdict"),
                        row.getLong("units"),
                        id(row, "writer"),
                        row.getLong("sequence"),
                        row.getLong("credited"))));
    each(
        "SELECT * FROM usage_rejected",
        row ->
            of(rows, row)
                .put(
                    new RowKey.DeliveryKey(id(row, "writer"), row.getLong("sequence")),
                    new StoredRow.RejectedRow(constant(UsageVerdict.values(), row, "verdict"))));
    return rows;
  }

  private static Map<RowKey, StoredRow> of(Map<Id128, Map<RowKey, StoredRow>> rows, ResultSet row)
      throws SQLException {
    return rows.computeIfAbsent(id(row, "account"), account -> new HashMap<>());
  }

  private static Lease lease(ResultSet row) throws SQLException {
    return new Lease(
        id(row, "id"),
        id(row, "holder"),
        row.getLong("fence"),
        id(row, "body_hash"),
        row.getLong("period_number"),
        row.getLong("granted_allowance"),
        row.getLong("granted_top_up"),
        row.getLong("returned_allowance"),
        row.getLong("returned_top_up"),
        row.getLong("billed"),
        row.getLong("loss"),
        constant(LeaseState.values(), row, "state"),
        row.getLong("first_expires_at"),
        row.getLong("expires_at"),
        row.getLong("grace"),
        row.getLong("ended_at"),
        step(row));
  }

  private static @Nullable LeaseStep step(ResultSet row) throws SQLException {
    final long number = row.getLong("step_number");
    if (row.wasNull()) {
      return null;
    }
    return new LeaseStep(
        number,
        constant(LeaseStep.Kind.values(), row, "step_kind"),
        row.getLong("step_argument"),
        row.getLong("step_restored"),
        row.getLong("step_expired"),
        row.getLong("step_loss"),
        row.getLong("step_expires_at"));
  }

  private static AccountNumbers numbers(ResultSet row) throws SQLException {
    return new AccountNumbers(
        row.getLong("deposited"),
        row.getLong("overage"),
        row.getLong("allowance"),
        row.getLong("top_up"),
        row.getLong("outstanding"),
        row.getLong("billed"),
        row.getLong("loss_resident"),
        row.getLong("loss_archived"),
        row.getLong("expired"),
        row.getLong("unfunded"),
        row.getLong("next_fence"),
        row.getLong("policy_generation"),
        row.getLong("period_number"));
  }

  /** Names are stored as positions. */
  private static <E> E constant(E[] constants, ResultSet row, String column) throws SQLException {
    return constants[row.getInt(column)];
  }

  private static Id128 id(ResultSet row, String column) throws SQLException {
    return Id128.of(row.getObject(column, UUID.class));
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  private void each(String query, RowReader reader) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet rows = statement.executeQuery(query)) {
        while (rows.next()) {
          reader.read(rows);
        }
      }
    }
    connection.commit();
  }
}
