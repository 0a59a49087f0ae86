package io.tollgrid.mapstore.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.testing.InMemoryLedger;
import io.tollgrid.ledger.testing.InMemoryLedgerStore;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.mapstore.verify.LedgerVerification;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Witnesses R10, R16 and R20 at the store: PostgreSQL and the in-memory reference answer any
 * sequence of commands alike, load alike, and the journal replays to exactly what is stored.
 */
class StoreKitProperties {
  private static final long SKEW = Duration.ofMinutes(10).toNanos();

  private static final long DEADLINE = Duration.ofHours(2).toNanos();

  private static TestPostgres database;
  private static PostgresLedger postgres;
  private static final Commands COMMANDS = new Commands();

  @BeforeContainer
  static void open() throws SQLException {
    database = TestPostgres.migrated();
    postgres = PostgresLedger.over(database);
    postgres.takeOver();
  }

  @AfterContainer
  static void close() {
    postgres.close();
    database.close();
  }

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void postgresIsTheReference(@ForAll @Size(min = 20, max = 60) List<Integer> choices)
      throws SQLException {
    final InMemoryLedger reference =
        new InMemoryLedger(new InMemoryLedgerStore(), LedgerLimits.DEFAULTS, SKEW);
    final Id128 account = COMMANDS.nextId();
    long now =
        database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000
            - Duration.ofMinutes(30).toNanos();
    final List<LedgerCommand> given = new ArrayList<>();
    final List<UsageEvent> events = new ArrayList<>();
    given.add(COMMANDS.create(AccountTerms.elastic(100)));
    answer(reference, account, given.get(0), now);
    for (final int choice : choices) {
      now += Math.floorMod(choice, 1_000) * 1_000_000L;
      final LedgerCommand command =
          next(Math.abs(choice / 16), choice & 15, reference.ledger(account), given, events, now);
      given.add(command);
      if ((choice & 63) == 17) {
        // Memory is lost on both sides; what only memory knew must be found in rows.
        reference.forget(account);
        postgres.forget(account);
      }
      answer(reference, account, command, now);
    }

    assertStoredAlike(reference, account);
  }

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void aChainIsItsCommandsOneByOne(@ForAll @Size(min = 20, max = 60) List<Integer> choices)
      throws SQLException {
    final InMemoryLedger reference =
        new InMemoryLedger(new InMemoryLedgerStore(), LedgerLimits.DEFAULTS, SKEW);
    final Id128 account = COMMANDS.nextId();
    final long now =
        database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000
            - Duration.ofMinutes(30).toNanos();
    final List<LedgerCommand> given = new ArrayList<>();
    final List<UsageEvent> events = new ArrayList<>();
    given.add(COMMANDS.create(AccountTerms.elastic(100)));
    answer(reference, account, given.get(0), now);
    final List<LedgerRequest> chain = new ArrayList<>();
    final List<Outcome> expected = new ArrayList<>();
    for (final int choice : choices) {
      final LedgerCommand command =
          next(Math.abs(choice / 16), choice & 15, reference.ledger(account), given, events, now);
      given.add(command);
      if (command instanceof LedgerCommand.LeaseCommand) {
        final LedgerRequest request = new LedgerRequest(account, "kit", now + DEADLINE, command);
        chain.add(request);
        expected.add(reference.submit(request, now).outcome());
      } else {
        answerChain(chain, expected, now);
        answer(reference, account, command, now);
      }
    }
    answerChain(chain, expected, now);

    assertStoredAlike(reference, account);
  }

  /** Runs a chain as a client does: what the owner does not decide together goes on alone. */
  private static void answerChain(List<LedgerRequest> chain, List<Outcome> expected, long now) {
    final List<Outcome> answers = new ArrayList<>();
    if (!chain.isEmpty()) {
      try {
        answers.addAll(postgres.process(chain, now));
      } catch (LedgerCodeException e) {
        assertThat(e.code()).isIn(LedgerCode.REPLAY, LedgerCode.STALE);
      }
    }
    answers.removeIf(
        answer -> answer instanceof Outcome.NeedsRows || answer instanceof Outcome.Outdated);
    for (int i = answers.size(); i < chain.size(); i++) {
      answers.add(postgres.submit(chain.get(i), now));
    }
    assertThat(answers).as("%s", chain).isEqualTo(expected);
    chain.clear();
    expected.clear();
  }

  private static void assertStoredAlike(InMemoryLedger reference, Id128 account)
      throws SQLException {
    assertThat(load(account)).isEqualTo(reference.store().load(account).orElseThrow());
    final JournalReplay replay = new JournalReplay(account, LedgerLimits.DEFAULTS);
    try (Connection connection = database.connect()) {
      Journal.read(connection, account, replay::run);
    }
    assertThat(replay.difference()).isNull();
    assertThat(replay.ledger()).isEqualTo(load(account));
    assertThat(replay.leases().values().stream().sorted(byFence()).toList())
        .isEqualTo(reference.store().leases(account));
    assertThat(
            new LedgerVerification(postgres.sources().control())
                .run(LedgerLimits.DEFAULTS)
                .findings())
        .isEmpty();
  }

  private static void answer(
      InMemoryLedger reference, Id128 account, LedgerCommand command, long now) {
    final LedgerRequest request = new LedgerRequest(account, "kit", now + DEADLINE, command);
    final Outcome expected = reference.submit(request, now).outcome();
    assertThat(postgres.submit(request, now)).as("%s", command).isEqualTo(expected);
  }

  private static AccountLedger load(Id128 account) {
    postgres.forget(account);
    return postgres.ledger(account);
  }

  private static LedgerCommand next(
      int amount,
      int kind,
      AccountLedger ledger,
      List<LedgerCommand> given,
      List<UsageEvent> events,
      long now) {
    final int units = amount % 97 + 1;
    final Lease lease = ledger.active().isEmpty() ? null : pick(ledger.active(), amount);
    return switch (kind) {
      case 0 -> COMMANDS.deposit(units);
      case 1 -> COMMANDS.scheduleNow(new BudgetSchedule(BudgetSchedule.Kind.DAY, "UTC", 1, units));
      case 2, 3 -> COMMANDS.acquire(units);
      case 4 -> lease == null ? new LedgerCommand.Cross() : fold(lease, units);
      case 5, 6 -> usage(lease, units, events, now);
      case 7 -> lease == null ? COMMANDS.acquire(units) : release(lease, units);
      case 8 -> lease == null ? COMMANDS.acquire(units) : giveBack(lease, units);
      case 9 -> lease == null ? COMMANDS.acquire(units) : renew(lease, units);
      case 10 -> credit(events, units, amount);
      case 11 -> new LedgerCommand.Reclaim(now);
      case 12 -> pick(given, amount);
      case 13 -> status(amount);
      case 14 ->
          new LedgerCommand.SetCapacityClass(
              COMMANDS.nextId(), pick(List.of(CapacityClass.values()), amount));
      default -> straggler(ledger, units, events, now);
    };
  }

  private static LedgerCommand usage(Lease lease, int units, List<UsageEvent> events, long now) {
    final List<UsageEvent> batch = new ArrayList<>();
    if (lease != null) {
      batch.add(COMMANDS.leased(lease.id(), lease.fence(), units, now));
    }
    batch.add(COMMANDS.event(new Funding.Overage(), units / 2, now));
    batch.add(COMMANDS.event(new Funding.Unfunded(), units / 3, now));
    if (!events.isEmpty()) {
      batch.add(pick(events, units));
    }
    events.addAll(batch);
    return COMMANDS.record(batch.toArray(UsageEvent[]::new));
  }

  private static LedgerCommand straggler(
      AccountLedger ledger, int units, List<UsageEvent> events, long now) {
    final UsageEvent event =
        ledger.losses().isEmpty()
            ? COMMANDS.leased(COMMANDS.nextId(), units, units, now)
            : COMMANDS.leased(
                pick(ledger.losses(), units).id(),
                pick(ledger.losses(), units).fence(),
                units,
                now);
    events.add(event);
    return COMMANDS.record(event);
  }

  private static LedgerCommand credit(List<UsageEvent> events, int units, int amount) {
    final Id128 requestId = events.isEmpty() ? COMMANDS.nextId() : pick(events, amount).requestId();
    return new LedgerCommand.Credit(COMMANDS.nextId(), requestId, 0, units / 4 + 1);
  }

  private static LedgerCommand status(int amount) {
    return new LedgerCommand.SetStatus(
        COMMANDS.nextId(), amount % 3 == 0 ? AccountStatus.SUSPENDED : AccountStatus.ACTIVE);
  }

  private static LedgerCommand fold(Lease lease, int units) {
    return COMMANDS.consolidate(
        lease.id(), lease.fence(), Math.min(units, lease.remaining()), units);
  }

  private static LedgerCommand release(Lease lease, int units) {
    return new LedgerCommand.Release(
        lease.id(), lease.fence(), step(lease), Math.min(units / 2, lease.remaining()));
  }

  private static LedgerCommand giveBack(Lease lease, int units) {
    return new LedgerCommand.Return(
        lease.id(), lease.fence(), step(lease), Math.min(units / 5, lease.remaining()));
  }

  private static LedgerCommand renew(Lease lease, int units) {
    return new LedgerCommand.Renew(lease.id(), lease.fence(), step(lease), units * 1_000_000_000L);
  }

  private static long step(Lease lease) {
    return lease.lastStep() == null ? 1 : lease.lastStep().number() + 1;
  }

  private static <T> T pick(List<T> from, int amount) {
    return from.get(Math.floorMod(amount, from.size()));
  }

  private static Comparator<Lease> byFence() {
    return Comparator.comparingLong(Lease::fence);
  }
}
