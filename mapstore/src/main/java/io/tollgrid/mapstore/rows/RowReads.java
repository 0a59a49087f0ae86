package io.tollgrid.mapstore.rows;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows behind a set of {@link RowKey}s of several accounts, at most one statement per
 * table. Reused from batch to batch; not thread-safe.
 */
public final class RowReads {
  /**
   * A row key of one account.
   *
   * @param account the account
   * @param key the key
   */
  public record AccountKey(Id128 account, RowKey key) {}

  private static final Shape ID_KEYS = Shape.empty().with(ColumnType.UUID, "account", "id");
  private static final Shape USAGE_KEYS =
      Shape.empty().with(ColumnType.UUID, "account", "request_id").with(ColumnType.INT4, "part");
  private static final Shape DELIVERY_KEYS =
      Shape.empty().with(ColumnType.UUID, "account", "writer").with(ColumnType.INT8, "sequence");

  // OFFSET 0 keeps the planner from turning a look-up by key around into a scan with a filter,
  // which is what a table
  // that was empty when it was last looked at invites.
  private static final String LEASES =
      "SELECT l.account, "
          + LeaseColumns.ALL.names("l")
          + " FROM "
          + ID_KEYS.unnest("k")
          + ", LATERAL (SELECT * FROM lease r WHERE r.account = k.account AND r.id = k.id OFFSET 0) l";
  private static final String COMMANDS =
      "SELECT c.account, c.id, c.body_hash, c.outcome FROM "
          + ID_KEYS.unnest("k")
          + ", LATERAL (SELECT * FROM command r WHERE r.account = k.account AND r.id = k.id OFFSET 0) c";
  private static final String USAGE =
      "SELECT u.account, u.request_id, u.part, u.verdict, u.units, u.writer, u.sequence, u.credited FROM "
          + USAGE_KEYS.unnest("k")
          + ", LATERAL (SELECT * FROM usage_request r WHERE r.account = k.account"
          + " AND r.request_id = k.request_id AND r.part = k.part OFFSET 0) u";
  private static final String REJECTED =
      "SELECT j.account, j.writer, j.sequence, j.verdict FROM "
          + DELIVERY_KEYS.unnest("k")
          + ", LATERAL (SELECT * FROM usage_rejected r WHERE r.account = k.account"
          + " AND r.writer = k.writer AND r.sequence = k.sequence OFFSET 0) j";

  private final RowSet leases = new RowSet(ID_KEYS);
  private final RowSet commands = new RowSet(ID_KEYS);
  private final RowSet usage = new RowSet(USAGE_KEYS);
  private final RowSet deliveries = new RowSet(DELIVERY_KEYS);
  private final Map<AccountKey, StoredRow> found = new HashMap<>();

  /** Forgets keys and rows. */
  public void clear() {
    leases.clear();
    commands.clear();
    usage.clear();
    deliveries.clear();
    found.clear();
  }

  /** Asks for one more row. */
  public void want(Id128 account, RowKey key) {
    if (key instanceof RowKey.LeaseKey lease) {
      leases.uuid(account).uuid(lease.leaseId());
    } else if (key instanceof RowKey.CommandKey command) {
      commands.uuid(account).uuid(command.commandId());
    } else if (key instanceof RowKey.UsageKey part) {
      usage.uuid(account).uuid(part.requestId()).integer(part.part());
    } else {
      final RowKey.DeliveryKey delivery = (RowKey.DeliveryKey) key;
      deliveries.uuid(account).uuid(delivery.writer()).int8(delivery.sequence());
    }
  }

  /** Adds the statements that read what is wanted. */
  public void addTo(Script script) {
    script
        .queryUnlessEmpty(LEASES, leases, this::lease)
        .queryUnlessEmpty(COMMANDS, commands, this::command)
        .queryUnlessEmpty(USAGE, usage, this::usage)
        .queryUnlessEmpty(REJECTED, deliveries, this::rejected);
  }

  /** The row under a key after the script has run, or null if there is none. */
  public @Nullable StoredRow row(Id128 account, RowKey key) {
    return found.isEmpty() ? null : found.get(new AccountKey(account, key));
  }

  private void lease(ResultSet row) throws SQLException {
    final Id128 account = new Fields(row, 1).id();
    final var lease = LeaseColumns.read(row, 2);
    put(account, new RowKey.LeaseKey(lease.id()), new StoredRow.LeaseRow(lease));
  }

  private void command(ResultSet row) throws SQLException {
    final Fields at = new Fields(row, 1);
    put(
        at.id(),
        new RowKey.CommandKey(at.id()),
        new StoredRow.CommandRow(at.id(), LedgerCodec.decodeApplied(at.bytes())));
  }

  private void usage(ResultSet row) throws SQLException {
    final Fields at = new Fields(row, 1);
    put(
        at.id(),
        new RowKey.UsageKey(at.id(), at.integer()),
        new StoredRow.UsageRow(
            at.ordinal(UsageVerdict.values()), at.int8(), at.id(), at.int8(), at.int8()));
  }

  private void rejected(ResultSet row) throws SQLException {
    final Fields at = new Fields(row, 1);
    put(
        at.id(),
        new RowKey.DeliveryKey(at.id(), at.int8()),
        new StoredRow.RejectedRow(at.ordinal(UsageVerdict.values())));
  }

  private void put(Id128 account, RowKey key, StoredRow row) {
    found.put(new AccountKey(account, key), row);
  }
}
