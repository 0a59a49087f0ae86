package io.tollgrid.verification.bench.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.database.PostgresAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The peer: an acquire as one function call, one round trip and one commit, from a pool of
 * connections.
 *
 * <p>The function has the same effects on the same tables under the same constraints as the
 * product's: it locks the account, takes the units allowance first, inserts the lease under the
 * next fence and the journal row with the numbers afterwards. It is what one would write without a
 * grid.
 */
final class SqlSide {
  private static final String FUNCTION =
      """
      CREATE OR REPLACE FUNCTION bench_acquire(
        p_account uuid, p_lease uuid, p_holder uuid, p_hash uuid, p_want bigint, p_ttl bigint, p_grace bigint,
        p_request bytea, p_outcome bytea)
      RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        a account%ROWTYPE;
        now_nanos bigint := (extract(epoch FROM clock_timestamp()) * 1000000000)::bigint;
        granted bigint;
        from_allowance bigint;
      BEGIN
        SELECT * INTO STRICT a FROM account WHERE id = p_account FOR UPDATE;
        granted := least(p_want, a.allowance + a.top_up);
        IF granted = 0 OR a.status <> 0 THEN
          RETURN 0;
        END IF;
        from_allowance := least(granted, a.allowance);
        UPDATE account SET version = a.version + 1, as_of = greatest(now_nanos, a.as_of),
          allowance = a.allowance - from_allowance, top_up = a.top_up - (granted - from_allowance),
          outstanding = a.outstanding + granted, next_fence = a.next_fence + 1
        WHERE id = p_account;
        INSERT INTO lease (account, id, holder, fence, body_hash, period_number, granted_allowance, granted_top_up,
          first_expires_at, expires_at, grace)
        VALUES (p_account, p_lease, p_holder, a.next_fence, p_hash, a.period_number, from_allowance,
          granted - from_allowance, now_nanos + p_ttl, now_nanos + p_ttl, p_grace);
        INSERT INTO journal (month, account, version, actor, request, outcome, ledger_time, recorded_at, deposited,
          overage, allowance, top_up, outstanding, billed, loss_resident, loss_archived, expired, unfunded, next_fence,
          policy_generation, period_number)
        VALUES (to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMM')::integer, p_account, a.version + 1, 'bench',
          p_request, p_outcome, now_nanos, now_nanos, a.deposited, a.overage, a.allowance - from_allowance,
          a.top_up - (granted - from_allowance), a.outstanding + granted, a.billed, a.loss_resident, a.loss_archived,
          a.expired, a.unfunded, a.next_fence + 1, a.policy_generation, a.period_number);
        RETURN a.next_fence;
      END $$
      """;

  private final PostgresAddress address;
  private final List<Id128> accounts;
  private final long wantUnits;
  private final byte[] request;
  private final byte[] outcome;

  /**
   * The peer over accounts that exist.
   *
   * @param request a journal row's request, of the size the product writes
   * @param outcome likewise its outcome
   */
  SqlSide(
      PostgresAddress address,
      List<Id128> accounts,
      long wantUnits,
      byte[] request,
      byte[] outcome) {
    this.address = address;
    this.accounts = List.copyOf(accounts);
    this.wantUnits = wantUnits;
    this.request = request.clone();
    this.outcome = outcome.clone();
  }

  void install() throws SQLException {
    try (HikariDataSource pool = pool(1);
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(FUNCTION);
    }
  }

  /**
   * Calls per second that {@code connections} sustain for {@code nanos}, each thread with its own
   * connection.
   */
  double callsPerSecond(AccountPick pick, int connections, long nanos) throws InterruptedException {
    final ExecutorService threads = Executors.newFixedThreadPool(connections);
    try (HikariDataSource pool = pool(connections)) {
      final Stopwatch watch = Stopwatch.start();
      final List<Future<Long>> runs = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        runs.add(threads.submit(worker(pool, pick, watch, nanos)));
      }
      long calls = 0;
      for (final Future<Long> run : runs) {
        calls += run.get();
      }
      return calls / watch.elapsedSeconds();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a SQL client failed, so the run has no figure", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private Callable<Long> worker(
      HikariDataSource pool, AccountPick pick, Stopwatch watch, long nanos) {
    return () -> {
      long calls = 0;
      try (Connection connection = pool.getConnection();
          PreparedStatement call =
              connection.prepareStatement("SELECT bench_acquire(?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
        final ThreadLocalRandom random = ThreadLocalRandom.current();
        while (watch.elapsedNanos() < nanos) {
          call.setObject(1, accounts.get(pick.next()).toUuid());
          call.setObject(2, new Id128(random.nextLong(), random.nextLong()).toUuid());
          call.setObject(3, new Id128(1, 1).toUuid());
          call.setObject(4, new Id128(random.nextLong(), random.nextLong()).toUuid());
          call.setLong(5, wantUnits);
          call.setLong(6, GridSide.TTL_NANOS);
          call.setLong(7, GridSide.GRACE_NANOS);
          call.setBytes(8, request);
          call.setBytes(9, outcome);
          try (var result = call.executeQuery()) {
            if (!result.next() || result.getLong(1) == 0) {
              throw new IllegalStateException("an acquire of a funded account was refused");
            }
          }
          calls++;
        }
      }
      return calls;
    };
  }

  private HikariDataSource pool(int size) {
    final HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(size);
    config.addDataSourceProperty("prepareThreshold", "1");
    config.addDataSourceProperty("ApplicationName", "tollgrid-bench-sql");
    return new HikariDataSource(config);
  }
}
