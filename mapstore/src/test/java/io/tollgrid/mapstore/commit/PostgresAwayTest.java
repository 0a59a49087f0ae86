package io.tollgrid.mapstore.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.mapstore.StoreOutcomeUnknownException;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.mapstore.testing.Await;
import io.tollgrid.mapstore.testing.Cable;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses the degradation of PostgreSQL away: callers are told UNAVAILABLE at once or within the
 * bound, nothing accumulates, every command takes effect at most once, and it goes on by itself.
 */
@Timeout(120)
class PostgresAwayTest {
  private static final int CALLERS = 64;
  private static final Duration MAX_AGE = Duration.ofMillis(500);

  @Test
  void sixtyFourCallersAreTurnedAwayAndComeBack() throws Exception {
    final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    final Commands commands = new Commands();
    try (TestPostgres database = TestPostgres.migrated()) {
      final URI server = URI.create(database.jdbcUrl().substring("jdbc:".length()));
      try (Cable cable = new Cable(server.getHost(), server.getPort());
          PostgresLedger ledger =
              PostgresLedger.over(
                  new PostgresAddress(
                      "jdbc:postgresql://127.0.0.1:" + cable.port() + server.getPath(),
                      database.user(),
                      database.password()),
                  CommitterSettings.DEFAULTS.withMaxAge(MAX_AGE).withMaxWaiting(CALLERS / 2),
                  CommitFaults.NONE,
                  Defects.NONE)) {
        ledger.takeOver();
        final List<Id128> accounts = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          final Id128 account = commands.nextId();
          ledger.submit(account, commands.create(), now(database));
          accounts.add(account);
        }
        final long nowNanos = now(database);
        final AtomicBoolean stop = new AtomicBoolean();
        final AtomicInteger refused = new AtomicInteger();
        final Map<LedgerCode, AtomicInteger> codes = new EnumMap<>(LedgerCode.class);
        for (final LedgerCode code : LedgerCode.values()) {
          codes.put(code, new AtomicInteger());
        }
        cable.cut();
        final List<CompletableFuture<Void>> running = new ArrayList<>();
        for (final Id128 account : accounts) {
          // One deposit per caller, sent again under the same id until it is answered.
          final LedgerRequest deposit =
              new LedgerRequest(
                  account, "test", nowNanos + Duration.ofMinutes(5).toNanos(), commands.deposit(5));
          running.add(
              CompletableFuture.runAsync(
                  () -> insist(ledger, deposit, nowNanos, codes, refused, stop), threads));
        }
        Await.until(() -> refused.get() >= 20 * CALLERS);
        assertThat(
                ledger
                    .registry()
                    .get("tollgrid.committer.waiting")
                    .tag("kind", "ordinary")
                    .gauge()
                    .value())
            .isLessThanOrEqualTo(CALLERS / 2.0);
        assertThat(codes.get(LedgerCode.UNAVAILABLE).get()).isPositive();

        cable.join();
        // What was unknown cost its fence; somebody draws the next one.
        Await.until(() -> recovered(ledger));
        running.forEach(CompletableFuture::join);

        for (final Id128 account : accounts) {
          assertThat(
                  database.number(
                      "SELECT deposited FROM account WHERE id = '" + account.toUuid() + "'"))
              .isEqualTo(5);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void insist(
      PostgresLedger ledger,
      LedgerRequest request,
      long nowNanos,
      Map<LedgerCode, AtomicInteger> codes,
      AtomicInteger refused,
      AtomicBoolean stop) {
    while (!stop.get()) {
      try {
        ledger.submit(request, nowNanos);
        return;
      } catch (LedgerCodeException e) {
        codes.get(e.code()).incrementAndGet();
        refused.incrementAndGet();
      } catch (StoreOutcomeUnknownException e) {
        codes.get(LedgerCode.UNKNOWN).incrementAndGet();
        refused.incrementAndGet();
      }
    }
  }

  private static boolean recovered(PostgresLedger ledger) {
    try {
      ledger.takeOver();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static long now(TestPostgres database) throws SQLException {
    return database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8")
        * 1_000;
  }
}
