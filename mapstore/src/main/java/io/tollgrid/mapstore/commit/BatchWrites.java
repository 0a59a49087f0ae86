package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.rows.AccountColumns;
import io.tollgrid.mapstore.rows.LeaseColumns;
import io.tollgrid.mapstore.schema.Months;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a batch's transitions, written in one round trip.
 *
 * <p>Everything that must be new is a plain INSERT, never an upsert: a row that exists already ends
 * the transaction. Everything that must exist is an UPDATE that counts; only the last use of a
 * credential, which nothing rests on, is raised whether or not it exists. An account is created
 * with its terms only; the last statement, which is part of every batch, then writes the numbers of
 * all accounts and the journal from the same columns.
 *
 * <p>Confined to one lane and reused from batch to batch.
 */
final class BatchWrites {
  private static final Shape ACCOUNT = Shape.empty().with(ColumnType.UUID, "account");
  private static final Shape ID = Shape.empty().with(ColumnType.UUID, "id");
  private static final Shape CREATED =
      ID.with(ColumnType.INT8, "version", "as_of").and(AccountColumns.TERMS);
  private static final Shape TERMS = ID.and(AccountColumns.TERMS);
  private static final Shape GRANTS = ACCOUNT.and(LeaseColumns.GRANT);
  private static final Shape LIVES = ACCOUNT.with(ColumnType.UUID, "id").and(LeaseColumns.LIFE);
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
  private static final Shape REQUESTS =
      ACCOUNT
          .with(ColumnType.UUID, "request_id")
          .with(ColumnType.INT4, "part")
          .with(ColumnType.UUID, "writer")
          .with(ColumnType.INT8, "sequence")
          .with(ColumnType.INT2, "verdict")
          .with(ColumnType.INT8, "units");
  private static final Shape CREDITS =
      ACCOUNT
          .with(ColumnType.INT8, "version")
          .with(ColumnType.UUID, "request_id")
          .with(ColumnType.INT4, "part")
          .with(ColumnType.INT8, "units", "period_number")
          .with(ColumnType.UUID, "command_id");
  private static final Shape ENTRIES =
      ID.and(AccountColumns.CHANGE)
          .with(ColumnType.INT4, "month")
          .with(ColumnType.UUID, "command_id")
          .with(ColumnType.TEXT, "actor")
          .with(ColumnType.BYTEA, "request", "outcome")
          .with(ColumnType.INT8, "recorded_at", "policy_generation", "period_number")
          .with(ColumnType.BOOL, "is_last");

  /** Month and time of recording, the same for all rows of a batch. */
  private static final Shape RECORDED =
      Shape.empty().with(ColumnType.INT4, "month").with(ColumnType.INT8, "recorded_at");

  private static final String CREATE_ACCOUNTS = insert("account", CREATED, "");
  private static final String CHANGE_TERMS =
      "UPDATE account a SET "
          + AccountColumns.TERMS.assignments("i")
          + " FROM "
          + TERMS.unnest("i")
          + " WHERE a.id = i.id";
  private static final String INSERT_LEASES =
      "INSERT INTO lease (account, "
          + LeaseColumns.GRANT.names()
          + ", expires_at) SELECT "
          + GRANTS.names("i")
          + ", i.first_expires_at FROM "
          + GRANTS.unnest("i");
  private static final String UPSERT_LEASES =
      INSERT_LEASES
          + " ON CONFLICT (account, id) DO UPDATE SET fence = excluded.fence,"
          + " granted_allowance = excluded.granted_allowance, granted_top_up = excluded.granted_top_up,"
          + " returned_allowance = 0, returned_top_up = 0, billed = 0, loss = 0, state = 0";
  private static final String CHANGE_LEASES =
      "UPDATE lease l SET "
          + LeaseColumns.LIFE.assignments("i")
          + " FROM "
          + LIVES.unnest("i")
          + " WHERE l.account = i.account AND l.id = i.id";
  private static final String INSERT_COMMANDS = insert("command", COMMANDS, "");
  private static final String UPSERT_COMMANDS =
      INSERT_COMMANDS
          + " ON CONFLICT (account, id) DO UPDATE SET version = excluded.version, outcome = excluded.outcome";
  private static final String INSERT_DEPOSITS = insert("deposit", DEPOSITS, "");
  private static final String INSERT_REQUESTS = insert("usage_request", REQUESTS, "");
  private static final Shape RECORDED_EVENTS = RECORDED.and(UsageColumns.EVENT);
  private static final String INSERT_EVENTS =
      "INSERT INTO usage_event (kind, "
          + RECORDED_EVENTS.names()
          + ") SELECT 0, "
          + RECORDED.names("i")
          + ", "
          + UsageColumns.selected()
          + " FROM "
          + RECORDED_EVENTS.unnest("i");
  private static final Shape RECORDED_AT_EVENTS =
      Shape.empty().with(ColumnType.INT8, "recorded_at").and(UsageColumns.EVENT);
  private static final String INSERT_REJECTED =
      "INSERT INTO usage_rejected ("
          + RECORDED_AT_EVENTS.names()
          + ") SELECT i.recorded_at, "
          + UsageColumns.selected()
          + " FROM "
          + RECORDED_AT_EVENTS.unnest("i");
  private static final Shape RECORDED_CREDITS = RECORDED.and(CREDITS);
  private static final String INSERT_CREDITS =
      "INSERT INTO usage_event (kind, "
          + RECORDED_CREDITS.names()
          + ") SELECT 1, "
          + RECORDED_CREDITS.names("i")
          + " FROM "
          + RECORDED_CREDITS.unnest("i");
  private static final Shape CREDITED =
      ACCOUNT
          .with(ColumnType.UUID, "request_id")
          .with(ColumnType.INT4, "part")
          .with(ColumnType.INT8, "units");
  private static final String CHANGE_CREDITED =
      "UPDATE usage_request u SET credited = u.credited + i.units FROM "
          + CREDITED.unnest("i")
          + " WHERE u.account = i.account AND u.request_id = i.request_id AND u.part = i.part";

  private static final String JOURNAL_COLUMNS =
      "command_id, actor, request, outcome, recorded_at, "
          + AccountColumns.BOOKS.names()
          + ", policy_generation, period_number";

  private final RowSet created = new RowSet(CREATED);
  private final RowSet terms = new RowSet(TERMS);
  private final RowSet grants = new RowSet(GRANTS);
  private final RowSet lives = new RowSet(LIVES);
  private final RowSet commands = new RowSet(COMMANDS);
  private final RowSet deposits = new RowSet(DEPOSITS);
  private final RowSet requests = new RowSet(REQUESTS);
  private final RowSet events = new RowSet(RECORDED_EVENTS);
  private final RowSet rejected = new RowSet(RECORDED_AT_EVENTS);
  private final RowSet credits = new RowSet(RECORDED_CREDITS);
  private final RowSet credited = new RowSet(CREDITED);
  private final RowSet entries = new RowSet(ENTRIES);
  private final KeyUses uses = new KeyUses();
  private final List<RowSet> all =
      List.of(
          created, terms, grants, lives, commands, deposits, requests, events, rejected, credits,
          credited, entries);

  /** The leases that a chain changed, as it left them. */
  private final Map<Id128, Lease> changed = new LinkedHashMap<>();

  private final String insertLeases;
  private final String insertCommands;
  private final String changeAccounts;

  BatchWrites(Defects defects) {
    insertLeases = defects.leaseUpserted() ? UPSERT_LEASES : INSERT_LEASES;
    insertCommands = defects.scheduleRetried() ? UPSERT_COMMANDS : INSERT_COMMANDS;
    changeAccounts = changeAccounts(defects);
  }

  /**
   * Writes {@code batch}, every transition of which was judged COMMIT on what {@code read} read.
   *
   * @param lane number of the lane that commits it
   */
  void write(Statements statements, int lane, List<Pending> batch, BatchReads read)
      throws SQLException {
    all.forEach(RowSet::clear);
    uses.clear();
    final long nowNanos = read.clockNanos();
    final int month = Months.of(nowNanos);
    for (final Pending pending : batch) {
      collect(pending, read, month, nowNanos);
    }
    final long changing = batch.stream().filter(Pending::writes).count();
    final int[] accounts = {0};
    final Script script =
        new Script()
            .change(CREATE_ACCOUNTS, created)
            .change(CHANGE_TERMS, terms)
            .change(insertLeases, grants)
            .change(CHANGE_LEASES, lives)
            .change(insertCommands, commands)
            .change(INSERT_DEPOSITS, deposits)
            .change(INSERT_REQUESTS, requests)
            .change(INSERT_EVENTS, events)
            .change(INSERT_REJECTED, rejected)
            .change(INSERT_CREDITS, credits)
            .change(CHANGE_CREDITED, credited);
    uses.addTo(script, lane);
    script.query(changeAccounts, entries, row -> accounts[0] = row.getInt(1)).run(statements);
    if (accounts[0] != changing) {
      throw new SQLException(
          "wrote " + accounts[0] + " of " + changing + " accounts that were locked", "XX001");
    }
  }

  /** Events of the batch that was written last that name no credential. */
  int unattributable() {
    return uses.unattributable();
  }

  private void collect(Pending pending, BatchReads read, int month, long nowNanos) {
    changed.clear();
    final List<Pending.Entry> chain = pending.entries();
    for (int i = 0; i < chain.size(); i++) {
      collect(chain.get(i), i == chain.size() - 1, read, month, nowNanos);
    }
    changed.values().forEach(lease -> life(pending.account(), lease));
    for (final Transition transition : pending.chain()) {
      if (transition.effects().onlyKeeps()) {
        rejected(transition.account(), 0, transition.effects(), nowNanos);
      }
    }
  }

  private void rejected(Id128 account, long version, Effects effects, long nowNanos) {
    for (final Effects.UsageEntry entry : effects.rejected()) {
      rejected.int8(nowNanos);
      UsageColumns.write(rejected, account, version, entry);
    }
  }

  private void collect(
      Pending.Entry entry, boolean isLast, BatchReads read, int month, long nowNanos) {
    final Transition transition = entry.transition();
    final Effects effects = transition.effects();
    final AccountLedger next = Objects.requireNonNull(transition.next(), "a write has a ledger");
    final Id128 account = transition.account();
    if (effects.baseVersion() == 0) {
      created.uuid(account).int8(next.version()).int8(next.asOfNanos());
      AccountColumns.writeTerms(created, next);
    } else if (isLast && read.touchesTerms(transition, next)) {
      terms.uuid(account);
      AccountColumns.writeTerms(terms, next);
    }
    leases(account, effects);
    funding(account, next.version(), effects);
    final StoredRow.CommandRow commandRow = effects.commandRow();
    if (commandRow != null) {
      commands
          .uuid(account)
          .uuid(commandId(effects.request().command()))
          .uuid(commandRow.bodyHash())
          .int8(next.version())
          .bytes(LedgerCodec.encodeOutcome(commandRow.outcome()));
    }
    usage(account, next, effects, month, nowNanos);
    entries.uuid(account);
    AccountColumns.writeChange(entries, next);
    entries
        .integer(month)
        .uuid(commandId(effects.request().command()))
        .text(effects.request().actor())
        .bytes(entry.request())
        .bytes(entry.outcome())
        .int8(nowNanos)
        .int8(next.policy().generation())
        .int8(next.period().number())
        .bool(isLast);
  }

  private void leases(Id128 account, Effects effects) {
    for (final Lease lease : effects.inserted()) {
      grants.uuid(account);
      LeaseColumns.writeGrant(grants, lease);
      if (!LeaseColumns.isAsGranted(lease)) {
        changed.put(lease.id(), lease);
      }
    }
    for (final Lease lease : effects.updated()) {
      changed.put(lease.id(), lease);
    }
  }

  private void life(Id128 account, Lease lease) {
    lives.uuid(account).uuid(lease.id());
    LeaseColumns.writeLife(lives, lease);
  }

  /**
   * One row per source: a crossing and a schedule set at once fund two allowances in one version.
   */
  private void funding(Id128 account, long version, Effects effects) {
    if (effects.funding().isEmpty()) {
      return;
    }
    final Map<Effects.FundingEntry.Source, Long> bySource =
        new EnumMap<>(Effects.FundingEntry.Source.class);
    for (final Effects.FundingEntry entry : effects.funding()) {
      bySource.merge(entry.source(), entry.units(), Math::addExact);
    }
    bySource.forEach(
        (source, units) -> deposits.uuid(account).int8(version).ordinal(source).int8(units));
  }

  private void usage(Id128 account, AccountLedger next, Effects effects, int month, long nowNanos) {
    for (final Effects.UsageEntry entry : effects.usage()) {
      events.integer(month).int8(nowNanos);
      UsageColumns.write(events, account, next.version(), entry);
      uses.add(entry.event(), nowNanos);
      requests
          .uuid(account)
          .uuid(entry.event().requestId())
          .integer(entry.event().part())
          .uuid(entry.event().writer())
          .int8(entry.event().sequence())
          .ordinal(entry.verdict())
          .int8(entry.event().units());
    }
    rejected(account, next.version(), effects, nowNanos);
    final Effects.CreditEntry credit = effects.credit();
    if (credit != null) {
      credits
          .integer(month)
          .int8(nowNanos)
          .uuid(account)
          .int8(next.version())
          .uuid(credit.requestId())
          .integer(credit.part())
          .int8(credit.units())
          .int8(next.period().number())
          .uuid(credit.commandId());
      credited.uuid(account).uuid(credit.requestId()).integer(credit.part()).int8(credit.units());
    }
  }

  /** The id that makes the command idempotent, if it has one of its own. */
  private static @Nullable Id128 commandId(LedgerCommand command) {
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      return operator.commandId();
    }
    if (command instanceof LedgerCommand.Acquire acquire) {
      return acquire.leaseId();
    }
    return command instanceof LedgerCommand.Consolidate consolidate ? consolidate.leaseId() : null;
  }

  private static String insert(String table, Shape shape, String suffix) {
    return "INSERT INTO "
        + table
        + " ("
        + shape.names()
        + ") SELECT "
        + shape.names("i")
        + " FROM "
        + shape.unnest("i")
        + suffix;
  }

  /**
   * Writes numbers and journal, and lifts the statement timeout for the COMMIT that follows: a
   * COMMIT cancelled while it waits for a standby returns success.
   */
  private static String changeAccounts(Defects defects) {
    return "WITH i AS MATERIALIZED (SELECT * FROM "
        + ENTRIES.unnest("t")
        + "), journalled AS (INSERT INTO journal (month, account, version, ledger_time, "
        + JOURNAL_COLUMNS
        + ") SELECT month, id, version, as_of, "
        + JOURNAL_COLUMNS
        + " FROM i"
        // With versions unchecked, the journal's key would otherwise catch what the check should
        // have.
        + (defects.versionUnchecked() ? " ON CONFLICT DO NOTHING" : "")
        + "), changed AS (UPDATE account a SET "
        + AccountColumns.CHANGE.assignments("i")
        + " FROM i WHERE a.id = i.id AND i.is_last RETURNING 1)"
        + " SELECT count(*)::int4, set_config('statement_timeout', '0', true) FROM changed";
  }
}
