package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.store.StoredState;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.fence.PartitionLocks;
import io.tollgrid.mapstore.rows.RowReads;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything a batch must know before it is judged, read under its locks in one round trip.
 *
 * <p>The order of the statements is the protocol:
 *
 * <ol>
 *   <li>shared locks of the batch's partitions, ascending. A takeover raises a fence under the
 *       exclusive lock, so it waits for this transaction and this one for it;
 *   <li>the accounts to be written, ascending, {@code FOR UPDATE}. Ordered, or two lanes could
 *       deadlock;
 *   <li>the accounts only checked, and the rows the batch depends on, read plainly: a row lock
 *       would assign a transaction id and make the transaction pay for a flush;
 *   <li>the fences and the clock. Each statement has its own snapshot, so the fences are those in
 *       force after the locks were granted, and the clock is read as late as can be.
 * </ol>
 *
 * <p>Confined to one lane and reused from batch to batch.
 */
final class BatchReads implements StoredState {
  private static final Shape IDS = Shape.empty().with(ColumnType.UUID, "id");
  private static final Shape PARTITIONS = Shape.empty().with(ColumnType.INT4, "id");

  private static final String LOCK_ACCOUNTS =
      "SELECT id, version, policy_generation, period_number FROM account"
          + " WHERE id = ANY(?::uuid[]) ORDER BY id FOR UPDATE";
  private static final String READ_ACCOUNTS =
      "SELECT id, version, policy_generation, period_number FROM account"
          + " WHERE id = ANY(?::uuid[])";
  private static final String LOCKABLE =
      "SELECT id FROM account WHERE id = ANY(?::uuid[]) FOR UPDATE SKIP LOCKED";
  private static final String FENCES_AND_CLOCK =
      "SELECT id, fence, (extract(epoch FROM clock_timestamp()) * 1000000)::int8"
          + " FROM ledger_partition WHERE id = ANY(?::int4[])";
  private static final long NANOS_PER_MICRO = 1_000L;

  private static final long NO_SUCH_PARTITION = -1;

  private record Stored(long version, long policyGeneration, long periodNumber) {}

  private final RowSet partitions = new RowSet(PARTITIONS);
  private final RowSet written = new RowSet(IDS);
  private final RowSet checked = new RowSet(IDS);
  private final RowReads rows = new RowReads();
  private final Map<Id128, Stored> accounts = new HashMap<>();
  private final Map<Integer, Long> fences = new HashMap<>();
  private long clockNanos;

  /** Locks and reads for {@code batch}, whose accounts are distinct. */
  void read(Statements statements, List<Pending> batch) throws SQLException {
    clear();
    batch.stream()
        .mapToInt(pending -> pending.chain().get(0).partition())
        .distinct()
        .sorted()
        .forEach(partitions::integer);
    for (final Pending pending : batch) {
      final Id128 account = pending.account();
      (pending.writes() ? written : checked).uuid(account);
      for (final Transition transition : pending.chain()) {
        transition.effects().absent().forEach(key -> rows.want(account, key));
        transition.effects().present().keySet().forEach(key -> rows.want(account, key));
      }
    }
    final Script script = new Script();
    script.query(PartitionLocks.LOCK_SHARED, partitions, row -> {});
    script.queryUnlessEmpty(LOCK_ACCOUNTS, written, this::account);
    script.queryUnlessEmpty(READ_ACCOUNTS, checked, this::account);
    rows.addTo(script);
    script.query(FENCES_AND_CLOCK, partitions, this::fenceAndClock);
    script.run(statements);
  }

  /** Which of a batch's accounts exist and are locked by another session, without waiting. */
  Set<Id128> heldByOthers(Statements statements, List<Id128> batch) throws SQLException {
    clear();
    final Set<Id128> existing = new HashSet<>();
    batch.forEach(written::uuid);
    new Script()
        .query(READ_ACCOUNTS, written, row -> existing.add(Id128.of(row.getObject(1, UUID.class))))
        .query(LOCKABLE, written, row -> existing.remove(Id128.of(row.getObject(1, UUID.class))))
        .run(statements);
    return existing;
  }

  /** PostgreSQL's clock, epoch nanoseconds, read after every lock was granted. */
  long clockNanos() {
    return clockNanos;
  }

  @Override
  public long fence(int partition) {
    return fences.getOrDefault(partition, NO_SUCH_PARTITION);
  }

  @Override
  public long version(Id128 account) {
    final Stored stored = accounts.get(account);
    return stored == null ? 0 : stored.version();
  }

  @Override
  public @Nullable StoredRow row(Id128 account, RowKey key) {
    return rows.row(account, key);
  }

  /**
   * Whether a transition may have changed the account's policy or period, so that those columns
   * must be written. A crossing hides in any command and shows in the period's number; every other
   * change comes from an operator.
   */
  boolean touchesTerms(Transition transition, AccountLedger next) {
    final Stored stored = accounts.get(transition.account());
    return stored == null
        || transition.effects().request().command() instanceof LedgerCommand.OperatorCommand
        || stored.policyGeneration() != next.policy().generation()
        || stored.periodNumber() != next.period().number();
  }

  private void clear() {
    partitions.clear();
    written.clear();
    checked.clear();
    rows.clear();
    accounts.clear();
    fences.clear();
    clockNanos = 0;
  }

  private void account(ResultSet row) throws SQLException {
    accounts.put(
        Id128.of(row.getObject(1, UUID.class)),
        new Stored(row.getLong(2), row.getLong(3), row.getLong(4)));
  }

  private void fenceAndClock(ResultSet row) throws SQLException {
    fences.put(row.getInt(1), row.getLong(2));
    clockNanos = Math.max(clockNanos, Math.multiplyExact(row.getLong(3), NANOS_PER_MICRO));
  }
}
