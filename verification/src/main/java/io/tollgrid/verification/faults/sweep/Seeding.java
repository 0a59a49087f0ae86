package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.mapstore.rows.AccountColumns;
import io.tollgrid.mapstore.rows.LeaseColumns;
import io.tollgrid.mapstore.schema.Months;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes accounts with their past in bulk, as the product would have left them. What is written is
 * the caller's to commit. Accounts whose past has usage are not offered. Not thread-safe.
 */
public final class Seeding implements AutoCloseable {
  private static final int ROWS_AT_ONCE = 4_000;

  private static final Shape ACCOUNT = Shape.empty().with(ColumnType.UUID, "account");
  private static final Shape ACCOUNTS =
      Shape.empty().with(ColumnType.UUID, "id").and(AccountColumns.ALL);
  private static final Shape LEASES = ACCOUNT.and(LeaseColumns.ALL);
  private static final Shape COMMANDS =
      ACCOUNT
          .with(ColumnType.UUID, "id", "body_hash")
          .with(ColumnType.INT8, "version")
          .with(ColumnType.BYTEA, "outcome");
  private static final Shape DEPOSITS =
      ACCOUNT
          .with(ColumnType.INT8, "version")
          .with(ColumnType.INT2, "source")
          .with(ColumnType.INT8, "units");
  private static final Shape JOURNAL =
      ACCOUNT
          .with(ColumnType.INT8, "version", "ledger_time")
          .and(AccountColumns.BOOKS)
          .with(ColumnType.INT4, "month")
          .with(ColumnType.UUID, "command_id")
          .with(ColumnType.TEXT, "actor")
          .with(ColumnType.BYTEA, "request", "outcome")
          .with(ColumnType.INT8, "recorded_at", "policy_generation", "period_number");

  private final Statements statements;
  private final long recordedAtNanos;
  private final RowSet accounts = new RowSet(ACCOUNTS);
  private final RowSet leases = new RowSet(LEASES);
  private final RowSet commands = new RowSet(COMMANDS);
  private final RowSet deposits = new RowSet(DEPOSITS);
  private final RowSet journal = new RowSet(JOURNAL);

  /**
   * Writes on a connection, which is not closed with this.
   *
   * @param recordedAtNanos when the rows are said to have been recorded, epoch nanoseconds
   */
  public Seeding(Connection connection, long recordedAtNanos) {
    this.statements = new Statements(connection);
    this.recordedAtNanos = recordedAtNanos;
  }

  /** Writes an account, now or together with those after it. */
  public void add(SeededAccount account) throws SQLException {
    final AccountLedger last = account.ledger();
    final Map<Id128, Lease> ever = new LinkedHashMap<>();
    for (final SeededAccount.Step step : account.steps()) {
      add(step, ever);
    }
    accounts.uuid(last.id());
    AccountColumns.writeChange(accounts, last);
    AccountColumns.writeTerms(accounts, last);
    for (final Lease lease : ever.values()) {
      leases.uuid(last.id());
      LeaseColumns.writeGrant(leases, lease);
      LeaseColumns.writeLife(leases, lease);
    }
    if (journal.size() >= ROWS_AT_ONCE) {
      flush();
    }
  }

  private void add(SeededAccount.Step step, Map<Id128, Lease> ever) {
    final AccountLedger next = step.next();
    final Effects effects = step.effects();
    final LedgerCommand command = effects.request().command();
    if (!effects.usage().isEmpty() || !effects.rejected().isEmpty() || effects.credit() != null) {
      throw new IllegalArgumentException("a seeded account cannot have usage");
    }
    effects.inserted().forEach(lease -> ever.put(lease.id(), lease));
    effects.updated().forEach(lease -> ever.put(lease.id(), lease));
    final StoredRow.CommandRow row = effects.commandRow();
    if (row != null) {
      commands
          .uuid(next.id())
          .uuid(idOf(command))
          .uuid(row.bodyHash())
          .int8(next.version())
          .bytes(LedgerCodec.encodeOutcome(row.outcome()));
    }
    for (final Effects.FundingEntry entry : effects.funding()) {
      deposits.uuid(next.id()).int8(next.version()).ordinal(entry.source()).int8(entry.units());
    }
    journal.uuid(next.id());
    AccountColumns.writeChange(journal, next);
    journal
        .integer(Months.of(recordedAtNanos))
        .uuid(idOf(command))
        .text(effects.request().actor())
        .bytes(LedgerCodec.encodeRequest(effects.request()))
        .bytes(LedgerCodec.encodeOutcome(effects.outcome()))
        .int8(recordedAtNanos)
        .int8(next.policy().generation())
        .int8(next.period().number());
  }

  private static @Nullable Id128 idOf(LedgerCommand command) {
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      return operator.commandId();
    }
    return command instanceof LedgerCommand.Acquire acquire ? acquire.leaseId() : null;
  }

  /** Writes what waits. */
  public void flush() throws SQLException {
    new Script()
        .change(insert("account", ACCOUNTS), accounts)
        .change(insert("lease", LEASES), leases)
        .change(insert("command", COMMANDS), commands)
        .change(insert("deposit", DEPOSITS), deposits)
        .change(insert("journal", JOURNAL), journal)
        .run(statements);
    for (final RowSet rows : new RowSet[] {accounts, leases, commands, deposits, journal}) {
      rows.clear();
    }
  }

  private static String insert(String table, Shape shape) {
    return "INSERT INTO "
        + table
        + " ("
        + shape.names()
        + ") SELECT "
        + shape.names("i")
        + " FROM "
        + shape.unnest("i");
  }

  /** Closes its statements; what waits and was not flushed is lost. */
  @Override
  public void close() throws SQLException {
    statements.close();
  }
}
