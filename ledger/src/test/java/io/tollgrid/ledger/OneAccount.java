package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.ledger.testing.InMemoryLedger;
import io.tollgrid.ledger.testing.InMemoryLedger.Answer;
import io.tollgrid.ledger.testing.InMemoryLedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One account, its owner and its store, driven by a test that says what happens and when.
 *
 * <p>After each command the books are compared with the rows, and memory with what a load would
 * find.
 */
final class OneAccount {
  /** Noon of an ordinary Wednesday. */
  static final long NOON = nanos("2026-03-04T12:00:00Z");

  static final long MAX_SKEW = Duration.ofMillis(500).toNanos();
  static final Id128 ACCOUNT = new Id128(0xACC, 1);
  static final Id128 HOLDER = new Id128(0x401DE4, 1);
  static final Id128 WRITER = new Id128(0x3417E4, 1);
  static final long TTL = Duration.ofSeconds(60).toNanos();

  private final InMemoryLedger owner;
  private long nowNanos = NOON;

  /** The store's clock, which does not step back with the owner's. */
  private long storeNanos = NOON;

  private long lastId = 1_000;
  private long lastSequence;
  private Answer last;

  private OneAccount(LedgerLimits limits) {
    owner = new InMemoryLedger(new InMemoryLedgerStore(), limits, MAX_SKEW);
  }

  /** An account nobody has created yet. */
  static OneAccount absent() {
    return new OneAccount(LedgerLimits.DEFAULTS);
  }

  /** An active, strict, unfunded account. */
  static OneAccount created() {
    return created(LedgerLimits.DEFAULTS, AccountTerms.STRICT);
  }

  /** An active, unfunded account under these limits and terms. */
  static OneAccount created(LedgerLimits limits, AccountTerms terms) {
    final OneAccount account = new OneAccount(limits);
    account.applied(
        new LedgerCommand.Create(
            account.nextId(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms));
    return account;
  }

  /** An active, strict account with this much top-up. */
  static OneAccount with(long topUpUnits) {
    final OneAccount account = created();
    account.deposit(topUpUnits);
    return account;
  }

  static long nanos(String instant) {
    return nanos(Instant.parse(instant));
  }

  static long nanos(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
  }

  /** A policy under which an acquire takes exactly {@code units}, if the balance has them. */
  static GrantPolicy exactly(long units) {
    return new GrantPolicy(units, units, 1, Long.MAX_VALUE);
  }

  // Time and ids

  long now() {
    return nowNanos;
  }

  OneAccount at(long nanos) {
    nowNanos = nanos;
    storeNanos = Math.max(storeNanos, nanos);
    return this;
  }

  OneAccount later(Duration time) {
    return at(nowNanos + time.toNanos());
  }

  Id128 nextId() {
    return new Id128(0x1D, ++lastId);
  }

  Id128 nextRequestId() {
    return Id128.timeOrdered(Math.floorDiv(nowNanos, 1_000_000), 0, ++lastId);
  }

  // Running commands

  LedgerRequest request(LedgerCommand command) {
    return request(command, storeNanos + Duration.ofSeconds(10).toNanos());
  }

  LedgerRequest request(LedgerCommand command, long notAfterNanos) {
    return new LedgerRequest(ACCOUNT, "test", notAfterNanos, command);
  }

  Outcome run(LedgerCommand command) {
    return run(request(command));
  }

  Outcome run(LedgerRequest request) {
    last = owner.submit(request, nowNanos, storeNanos);
    assertThat(last.verdict().stands()).as("the store accepts %s", last).isTrue();
    verify();
    return last.outcome();
  }

  /** Runs a command whose effect the owner never learns of. */
  Outcome runUnnoticed(LedgerCommand command) {
    last = owner.submitUnnoticed(request(command), nowNanos, storeNanos);
    assertThat(last.verdict()).isEqualTo(Verdict.COMMIT);
    return last.outcome();
  }

  Outcome.Applied applied(LedgerCommand command) {
    final Outcome outcome = run(command);
    assertThat(outcome).isInstanceOf(Outcome.Applied.class);
    return (Outcome.Applied) outcome;
  }

  Refusal refused(LedgerCommand command) {
    return refused(request(command));
  }

  Refusal refused(LedgerRequest request) {
    final long version = owner.store().version(ACCOUNT);
    final long periodEnd = version == 0 ? Period.NEVER : ledger().period().endNanos();
    final Outcome outcome = run(request);
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    if (nowNanos < periodEnd) {
      assertThat(owner.store().version(ACCOUNT)).as("a refusal changes nothing").isEqualTo(version);
    }
    return ((Outcome.Refused) outcome).reason();
  }

  /** The last command's answer with its effects. */
  Answer last() {
    return last;
  }

  // Shorthands

  Outcome.Funded deposit(long units) {
    return (Outcome.Funded) applied(new LedgerCommand.Deposit(nextId(), units));
  }

  Outcome.Changed schedule(BudgetSchedule schedule, LedgerCommand.SetSchedule.Effective when) {
    return (Outcome.Changed) applied(new LedgerCommand.SetSchedule(nextId(), schedule, when));
  }

  Outcome.Changed status(AccountStatus status) {
    return (Outcome.Changed) applied(new LedgerCommand.SetStatus(nextId(), status));
  }

  LedgerCommand.Acquire acquiring(long units) {
    return new LedgerCommand.Acquire(nextId(), HOLDER, exactly(units), TTL, 0);
  }

  /** A lease of exactly {@code units}. */
  Lease lease(long units) {
    final Outcome.Granted granted = (Outcome.Granted) applied(acquiring(units));
    assertThat(granted.units()).isEqualTo(units);
    return lease(granted.leaseId());
  }

  /** The lease as stored now. */
  Lease lease(Id128 leaseId) {
    return ((StoredRow.LeaseRow) owner.store().row(ACCOUNT, new RowKey.LeaseKey(leaseId))).lease();
  }

  Lease again(Lease lease) {
    return lease(lease.id());
  }

  LedgerCommand.Consolidate consolidating(Lease old, long freeUnits, long want, long demand) {
    return new LedgerCommand.Consolidate(
        nextId(), HOLDER, old.id(), old.fence(), freeUnits, exactly(want), TTL, demand);
  }

  LeaseStep give(Lease lease, long units) {
    return ((Outcome.Stepped)
            applied(new LedgerCommand.Return(lease.id(), lease.fence(), nextStep(lease), units)))
        .receipt();
  }

  LeaseStep release(Lease lease, long unspent) {
    return ((Outcome.Stepped)
            applied(new LedgerCommand.Release(lease.id(), lease.fence(), nextStep(lease), unspent)))
        .receipt();
  }

  long nextStep(Lease lease) {
    final LeaseStep step = again(lease).lastStep();
    return step == null ? 1 : step.number() + 1;
  }

  UsageEvent event(Funding funding, long units) {
    return event(nextRequestId(), 0, funding, units, WRITER, ++lastSequence);
  }

  static UsageEvent event(
      Id128 requestId, int part, Funding funding, long units, Id128 writer, long sequence) {
    return new UsageEvent(
        requestId,
        part,
        LegRole.BILLING,
        funding,
        units,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        0,
        writer,
        sequence);
  }

  static Funding on(Lease lease) {
    return new Funding.Leased(lease.id(), lease.fence());
  }

  List<UsageVerdict> record(UsageEvent... events) {
    return ((Outcome.UsageRecorded) applied(new LedgerCommand.RecordUsage(List.of(events))))
        .verdicts();
  }

  UsageVerdict bill(Lease lease, long units) {
    return record(event(on(lease), units)).get(0);
  }

  /** Lets the lease lapse and the ledger write it off. */
  Lease reclaimed(Lease lease) {
    at(Math.max(nowNanos, again(lease).reclaimableAtNanos()));
    applied(new LedgerCommand.Reclaim(nowNanos));
    return again(lease);
  }

  // Looking

  AccountLedger ledger() {
    return owner.ledger(ACCOUNT);
  }

  Balances books() {
    return ledger().balances();
  }

  InMemoryLedger owner() {
    return owner;
  }

  InMemoryLedgerStore store() {
    return owner.store();
  }

  /** Evicts the ledger: what only memory kept is lost. */
  OneAccount reload() {
    owner.forget(ACCOUNT);
    return this;
  }

  private void verify() {
    assertThat(store().verify(ACCOUNT)).isEmpty();
    assertThat(store().load(ACCOUNT))
        .as("what a load would find")
        .isEqualTo(Optional.ofNullable(ledger()).map(OneAccount::withoutSettled));
  }

  private static AccountLedger withoutSettled(AccountLedger ledger) {
    return new AccountLedger(
        ledger.id(),
        ledger.version(),
        ledger.asOfNanos(),
        ledger.balances(),
        ledger.policy(),
        ledger.period(),
        ledger.nextFence(),
        ledger.active(),
        ledger.losses(),
        List.of());
  }
}
