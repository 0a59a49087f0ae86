package io.tollgrid.mapstore.testing;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.MeterUnits;
import io.tollgrid.ledger.UsageEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Commands with ids that no other command of the same test has. Thread-safe. */
public final class Commands {
  /** Whoever spends. */
  public static final Id128 HOLDER = new Id128(0x401DE4, 1);

  /** Whoever reports. */
  public static final Id128 WRITER = new Id128(0x3417E4, 1);

  private static final long TTL = Duration.ofSeconds(60).toNanos();
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final AtomicLong lastId = new AtomicLong(1_000);
  private final AtomicLong lastSequence = new AtomicLong();

  /** An id nobody has used. */
  public Id128 nextId() {
    return new Id128(0x1D, lastId.incrementAndGet());
  }

  /** A request id made at {@code nowNanos}. */
  public Id128 nextRequestId(long nowNanos) {
    return Id128.timeOrdered(nowNanos / NANOS_PER_MILLI, 0, lastId.incrementAndGet());
  }

  /** An active account under these terms. */
  public LedgerCommand.Create create(AccountTerms terms) {
    return new LedgerCommand.Create(
        nextId(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms);
  }

  /** An active, strict account. */
  public LedgerCommand.Create create() {
    return create(AccountTerms.STRICT);
  }

  /** A deposit. */
  public LedgerCommand.Deposit deposit(long units) {
    return new LedgerCommand.Deposit(nextId(), units);
  }

  /** A lease of exactly {@code units}, if the balance has them. */
  public LedgerCommand.Acquire acquire(long units) {
    return acquire(nextId(), units);
  }

  /** A lease under a given id. */
  public LedgerCommand.Acquire acquire(Id128 leaseId, long units) {
    return new LedgerCommand.Acquire(leaseId, HOLDER, exactly(units), TTL, 0);
  }

  /** A fold of free units into a new lease. */
  public LedgerCommand.Consolidate consolidate(
      Id128 oldLeaseId, long oldFence, long freeUnits, long units) {
    return new LedgerCommand.Consolidate(
        nextId(), HOLDER, oldLeaseId, oldFence, freeUnits, exactly(units), TTL, 0);
  }

  /** A monthly schedule in UTC, effective now. */
  public LedgerCommand.SetSchedule scheduleNow(@Nullable BudgetSchedule schedule) {
    return new LedgerCommand.SetSchedule(
        nextId(), schedule, LedgerCommand.SetSchedule.Effective.NOW);
  }

  /** One batch. */
  public LedgerCommand.RecordUsage record(UsageEvent... events) {
    return new LedgerCommand.RecordUsage(List.of(events));
  }

  /** One part billed to a lease, with a breakdown. */
  public UsageEvent leased(Id128 leaseId, long fence, long units, long nowNanos) {
    return event(new Funding.Leased(leaseId, fence), units, nowNanos);
  }

  /** One part of any funding. */
  public UsageEvent event(Funding funding, long units, long nowNanos) {
    return new UsageEvent(
        nextRequestId(nowNanos),
        0,
        LegRole.BILLING,
        funding,
        units,
        1,
        units == 0 ? List.of() : List.of(new MeterUnits("in \"quotes\" \\", units)),
        new Id128(0xCAFE, 7),
        new Bits256(1, 2, 3, 4),
        nowNanos,
        WRITER,
        lastSequence.incrementAndGet());
  }

  private static GrantPolicy exactly(long units) {
    return new GrantPolicy(units, units, 1, GrantPolicy.DEFAULT_MAX_GRANT_UNITS);
  }
}
