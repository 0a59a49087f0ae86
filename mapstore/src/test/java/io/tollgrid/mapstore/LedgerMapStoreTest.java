package io.tollgrid.mapstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.load.LedgerLoader;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Witnesses R7 and R10 at load (an account that contradicts itself is corrupt, alone, and stays as
 * it is), R17 (nothing deletes a ledger) and architecture §3.4 (no load without a fence).
 */
@Timeout(60)
class LedgerMapStoreTest {
  private static TestPostgres database;
  private static final Commands COMMANDS = new Commands();

  private PostgresLedger ledger;
  private long now;

  @BeforeAll
  static void open() {
    database = TestPostgres.migrated();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void start() throws SQLException {
    now = database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    ledger = PostgresLedger.over(database);
    ledger.takeOver();
  }

  @AfterEach
  void stop() {
    ledger.close();
  }

  @Test
  void whatWasStoredIsLoadedAsItWas() {
    final Id128 account = account();
    final Outcome.Granted first = granted(account);
    granted(account);
    ledger.submit(
        account, COMMANDS.record(COMMANDS.leased(first.leaseId(), first.fence(), 3, now)), now);
    ledger.submit(account, new LedgerCommand.Release(first.leaseId(), first.fence(), 1, 4), now);
    final AccountLedger before = ledger.ledger(account);
    assertThat(before.active()).hasSize(1);
    assertThat(before.losses()).hasSize(1);

    ledger.forget(account);

    assertThat(ledger.ledger(account)).isEqualTo(before);
  }

  @Test
  void aLoadCarriesTheFenceHeldBeforeItAndThereIsNoneWithoutOne() throws SQLException {
    final Id128 account = account();
    final long fence = ledger.held(account);

    assertThat(ledger.store().load(account.toHex()).ownershipFence()).isEqualTo(fence);
    try (PostgresLedger fenceless = PostgresLedger.over(database)) {
      assertCode(LedgerCode.NO_FENCE, () -> fenceless.store().load(account.toHex()));
      assertCode(LedgerCode.NO_FENCE, () -> fenceless.store().loadAll(List.of(account.toHex())));
    }
  }

  @Test
  void anAccountWhoseLeasesDisagreeIsCorruptAloneAndStaysAsItIs() throws Exception {
    final Id128 corrupt = account();
    final Id128 neighbour = account();
    granted(corrupt);
    granted(neighbour);
    database.execute(
        "ALTER TABLE lease DISABLE TRIGGER lease_sums_agree",
        "UPDATE lease SET billed = billed + 1 WHERE account = '" + corrupt.toUuid() + "'",
        "ALTER TABLE lease ENABLE TRIGGER lease_sums_agree");
    ledger.forget(corrupt);
    ledger.forget(neighbour);
    final List<String> before = everything(corrupt);

    final ExecutorService callers = Executors.newFixedThreadPool(2);
    try {
      final CompletableFuture<Void> refused =
          CompletableFuture.runAsync(
              () ->
                  assertCode(
                      LedgerCode.CORRUPT, () -> ledger.submit(corrupt, COMMANDS.deposit(1), now)),
              callers);
      final CompletableFuture<Outcome> served =
          CompletableFuture.supplyAsync(
              () -> ledger.submit(neighbour, COMMANDS.deposit(1), now), callers);
      refused.join();
      assertThat(served.join()).isInstanceOf(Outcome.Funded.class);
    } finally {
      callers.shutdownNow();
    }
    final Map<String, LedgerEntry> loaded =
        ledger.store().loadAll(List.of(corrupt.toHex(), neighbour.toHex()));
    assertThat(loaded).containsOnlyKeys(neighbour.toHex());
    assertCode(LedgerCode.CORRUPT, () -> ledger.store().load(corrupt.toHex()));
    assertThat(everything(corrupt)).isEqualTo(before);
  }

  @Test
  void aCorruptAccountIsLoggedOnceHoweverOftenItIsAskedFor() throws Exception {
    final Id128 corrupt = account();
    granted(corrupt);
    database.execute(
        "ALTER TABLE lease DISABLE TRIGGER lease_sums_agree",
        "UPDATE lease SET billed = billed + 1 WHERE account = '" + corrupt.toUuid() + "'",
        "ALTER TABLE lease ENABLE TRIGGER lease_sums_agree");
    final Logger log = (Logger) LoggerFactory.getLogger(LedgerLoader.class);
    final ListAppender<ILoggingEvent> heard = new ListAppender<>();
    heard.start();
    log.addAppender(heard);
    try {
      for (int i = 0; i < 20; i++) {
        assertCode(LedgerCode.CORRUPT, () -> ledger.store().load(corrupt.toHex()));
      }
    } finally {
      log.detachAppender(heard);
    }
    assertThat(heard.list)
        .filteredOn(event -> event.getFormattedMessage().contains(corrupt.toHex()))
        .hasSize(1);
  }

  @Test
  void aRowThatNoCommandCouldHaveMadeIsCorruptToo() throws SQLException {
    final Id128 account = account();
    database.execute(
        "UPDATE account SET schedule_kind = 2, schedule_zone = 'Nowhere/Atlantis', schedule_anchor_day = 1,"
            + " schedule_amount = 1, period_end = 5 WHERE id = '"
            + account.toUuid()
            + "'");
    ledger.forget(account);

    assertCode(LedgerCode.CORRUPT, () -> ledger.ledger(account));
  }

  @Test
  void anAccountThatDoesNotExistIsAnsweredAfterACheckAndStaysOutOfMemory() {
    final Id128 nobody = COMMANDS.nextId();
    final Transition check = ledger.transition(nobody, COMMANDS.deposit(1), now);
    assertThat(check.next()).isNull();

    assertCode(
        LedgerCode.UNKNOWN_ACCOUNT,
        () -> ledger.store().store(nobody.toHex(), PostgresLedger.entry(check)));
    assertThat(ledger.submit(nobody, COMMANDS.deposit(1), now))
        .isEqualTo(new Outcome.Refused(Refusal.UNKNOWN_ACCOUNT, null));
    assertThat(ledger.store().load(nobody.toHex())).isNull();
    ledger.submit(nobody, COMMANDS.create(), now);
    assertCode(
        LedgerCode.STALE, () -> ledger.store().store(nobody.toHex(), PostgresLedger.entry(check)));
  }

  @Test
  void aValueThatNoCommandMadeIsRefusedAndNothingDeletes() {
    final Id128 account = account();
    final Id128 other = account();
    final LedgerEntry entry = ledger.store().load(account.toHex());
    final Transition deposit = ledger.transition(other, COMMANDS.deposit(1), now);
    final LedgerEntry ofAnother = PostgresLedger.entry(deposit);

    assertThatThrownBy(() -> ledger.store().store(account.toHex(), entry))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("changes by commands only");
    assertThatThrownBy(() -> ledger.store().store(account.toHex(), ofAnother))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ledger.store().storeAll(Map.of(account.toHex(), entry)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> ledger.store().delete(account.toHex()))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> ledger.store().deleteAll(List.of(account.toHex())))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(ledger.store().loadAllKeys()).isNull();
  }

  @Test
  void anInterruptedThreadStoresAndLoadsAndComesBackWithItsFlagClear() {
    final Id128 account = account();
    Thread.currentThread().interrupt();

    ledger.submit(account, COMMANDS.deposit(5), now);
    final boolean afterStore = Thread.currentThread().isInterrupted();
    Thread.currentThread().interrupt();
    ledger.forget(account);
    final long topUp = ledger.ledger(account).balances().topUp();

    assertThat(Thread.interrupted()).isFalse();
    assertThat(afterStore).isFalse();
    assertThat(topUp).isEqualTo(105);
  }

  @Test
  void fortyWhoLoadAtOnceAreReadTogether() {
    final ExecutorService callers = Executors.newFixedThreadPool(40);
    try {
      final List<Id128> accounts = Stream.generate(this::account).limit(40).toList();
      final double queriesBefore = queries();
      final List<CompletableFuture<LedgerEntry>> loads =
          accounts.stream()
              .map(
                  account ->
                      CompletableFuture.supplyAsync(
                          () -> ledger.store().load(account.toHex()), callers))
              .toList();

      for (int i = 0; i < accounts.size(); i++) {
        assertThat(loads.get(i).join().ledger().id()).isEqualTo(accounts.get(i));
      }
      assertThat(queries() - queriesBefore).isLessThan(40);
    } finally {
      callers.shutdownNow();
    }
  }

  private double queries() {
    return ledger.registry().get("tollgrid.loader.batch").timer().count();
  }

  /** An active account with 100 units of top-up. */
  private Id128 account() {
    final Id128 account = COMMANDS.nextId();
    ledger.submit(account, COMMANDS.create(), now);
    ledger.submit(account, COMMANDS.deposit(100), now);
    return account;
  }

  private Outcome.Granted granted(Id128 account) {
    return (Outcome.Granted) ledger.submit(account, COMMANDS.acquire(10), now);
  }

  /** Every row of an account with its place and the transaction that wrote it. */
  private static List<String> everything(Id128 account) throws SQLException {
    final String id = "'" + account.toUuid() + "'";
    return database.query(
        "SELECT concat(ctid, xmin, a) FROM account a WHERE id = "
            + id
            + " UNION ALL SELECT concat(ctid, xmin, l) FROM lease l WHERE account = "
            + id
            + " UNION ALL SELECT concat(ctid, xmin, j) FROM journal j WHERE account = "
            + id);
  }

  private static void assertCode(LedgerCode code, Runnable work) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            LedgerCodeException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
