package io.tollgrid.mapstore.rows;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.Period;
import io.tollgrid.ledger.RateLimits;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Shape;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of {@code account} after its id. */
public final class AccountColumns {
  /** The stored numbers of R10, as {@code account} and {@code journal} name them. */
  public static final Shape BOOKS =
      Shape.empty()
          .with(
              ColumnType.INT8,
              "deposited",
              "overage",
              "allowance",
              "top_up",
              "outstanding",
              "billed",
              "loss_resident",
              "loss_archived",
              "expired",
              "unfunded",
              "next_fence");

  /** What every change writes. */
  public static final Shape CHANGE =
      Shape.empty().with(ColumnType.INT8, "version", "as_of").and(BOOKS);

  /** The account policy (R18). */
  public static final Shape POLICY =
      Shape.empty()
          .with(ColumnType.INT8, "policy_generation")
          .with(ColumnType.INT2, "status", "capacity_class", "mode")
          .with(
              ColumnType.INT8,
              "overage_cap",
              "requests_per_second",
              "burst_requests",
              "units_per_second",
              "burst_units",
              "concurrency_ceiling")
          .with(ColumnType.BOOL, "ever_elastic");

  /** Policy and period, which only a few changes touch. */
  public static final Shape TERMS =
      POLICY
          .with(ColumnType.INT8, "period_number", "period_end")
          .with(ColumnType.INT2, "schedule_kind")
          .with(ColumnType.TEXT, "schedule_zone")
          .with(ColumnType.INT2, "schedule_anchor_day")
          .with(ColumnType.INT8, "schedule_amount")
          .with(ColumnType.BOOL, "change_pending")
          .with(ColumnType.INT2, "next_kind")
          .with(ColumnType.TEXT, "next_zone")
          .with(ColumnType.INT2, "next_anchor_day")
          .with(ColumnType.INT8, "next_amount", "funded_day", "funded_week", "funded_month");

  /** All columns after the id, in the order {@link #read} expects. */
  public static final Shape ALL = CHANGE.and(TERMS);

  /** How many columns {@link #ALL} has. */
  public static final int COUNT = 13 + 25;

  /** How many columns of {@link #BOOKS} are balances: all but the last. */
  public static final int BOOK_COLUMNS = 10;

  private static final int SCHEDULE_COLUMNS = 4;

  private AccountColumns() {}

  /** Writes the {@link #CHANGE} columns. */
  public static void writeChange(RowSet rows, AccountLedger ledger) {
    final Balances books = ledger.balances();
    rows.int8(ledger.version())
        .int8(ledger.asOfNanos())
        .int8(books.deposited())
        .int8(books.overage())
        .int8(books.allowance())
        .int8(books.topUp())
        .int8(books.outstanding())
        .int8(books.billed())
        .int8(books.lossResident())
        .int8(books.lossArchived())
        .int8(books.expired())
        .int8(books.unfunded())
        .int8(ledger.nextFence());
  }

  /** Writes the {@link #TERMS} columns. */
  public static void writeTerms(RowSet rows, AccountLedger ledger) {
    final AccountPolicy policy = ledger.policy();
    final AccountTerms terms = policy.terms();
    final RateLimits rates = terms.rates();
    final Period period = ledger.period();
    final Period.ScheduleChange change = period.change();
    rows.int8(policy.generation())
        .ordinal(policy.status())
        .ordinal(policy.capacityClass())
        .ordinal(terms.mode())
        .int8(terms.overageCapUnits())
        .int8(rates.requestsPerSecond())
        .int8(rates.burstRequests())
        .int8(rates.unitsPerSecond())
        .int8(rates.burstUnits())
        .int8(terms.concurrencyCeiling())
        .bool(policy.everElastic())
        .int8(period.number())
        .int8(period.endNanos());
    writeSchedule(rows, period.schedule());
    rows.bool(change != null);
    writeSchedule(rows, change == null ? null : change.next());
    rows.int8(period.funded().day()).int8(period.funded().week()).int8(period.funded().month());
  }

  /**
   * An account as its own row has it, without leases.
   *
   * @param id the account
   * @param version its version
   * @param asOfNanos ledger time of the last change, epoch nanoseconds
   * @param books the stored numbers
   * @param nextFence the fence the next lease gets
   * @param policy the policy
   * @param period the budget period
   */
  public record Stored(
      Id128 id,
      long version,
      long asOfNanos,
      Balances books,
      long nextFence,
      AccountPolicy policy,
      Period period) {
    /**
     * The ledger, with its resident leases in order of their fences.
     *
     * @throws io.tollgrid.ledger.CorruptLedgerException if they do not add up (R10)
     */
    public AccountLedger with(List<Lease> active, List<Lease> losses) {
      return new AccountLedger(
          id, version, asOfNanos, books, policy, period, nextFence, active, losses, List.of());
    }
  }

  /**
   * The account whose columns start at {@code first}.
   *
   * @throws io.tollgrid.ledger.CorruptLedgerException if the numbers contradict each other
   * @throws IllegalArgumentException if a term or schedule is impossible
   */
  public static Stored read(ResultSet row, int first, Id128 id) throws SQLException {
    final Fields at = new Fields(row, first);
    return new Stored(id, at.int8(), at.int8(), books(at), at.int8(), policy(at), period(at));
  }

  /** The balances whose columns start at {@code first}. */
  public static Balances readBooks(ResultSet row, int first) throws SQLException {
    return books(new Fields(row, first));
  }

  /**
   * The {@link #POLICY} whose columns start at {@code first}.
   *
   * @throws IllegalArgumentException if a term is impossible
   */
  public static AccountPolicy readPolicy(ResultSet row, int first) throws SQLException {
    return policy(new Fields(row, first));
  }

  private static Balances books(Fields at) throws SQLException {
    return new Balances(
        at.int8(), at.int8(), at.int8(), at.int8(), at.int8(), at.int8(), at.int8(), at.int8(),
        at.int8(), at.int8());
  }

  private static AccountPolicy policy(Fields at) throws SQLException {
    final long generation = at.int8();
    final AccountStatus status = at.ordinal(AccountStatus.values());
    final CapacityClass capacityClass = at.ordinal(CapacityClass.values());
    final AccountTerms terms =
        new AccountTerms(
            at.ordinal(EnforcementMode.values()),
            at.int8(),
            new RateLimits(at.int8(), at.int8(), at.int8(), at.int8()),
            at.int8());
    return new AccountPolicy(generation, status, capacityClass, terms, at.bool());
  }

  private static Period period(Fields at) throws SQLException {
    final long number = at.int8();
    final long endNanos = at.int8();
    final BudgetSchedule schedule = schedule(at);
    final boolean changePending = at.bool();
    final BudgetSchedule next = schedule(at);
    return new Period(
        number,
        endNanos,
        schedule,
        changePending ? new Period.ScheduleChange(next) : null,
        new Period.FundedStarts(at.int8(), at.int8(), at.int8()));
  }

  private static @Nullable BudgetSchedule schedule(Fields at) throws SQLException {
    if (at.nextIsNull()) {
      at.skip(SCHEDULE_COLUMNS);
      return null;
    }
    return new BudgetSchedule(
        at.ordinal(BudgetSchedule.Kind.values()), at.text(), at.integer(), at.int8());
  }

  private static void writeSchedule(RowSet rows, @Nullable BudgetSchedule schedule) {
    if (schedule == null) {
      rows.nulls(SCHEDULE_COLUMNS);
    } else {
      rows.ordinal(schedule.kind())
          .text(schedule.zone())
          .integer(schedule.anchorDay())
          .int8(schedule.amountUnits());
    }
  }
}
