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
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The peer: a command as one function call, one round trip and one commit, from a pool of
 * connections.
 *
 * <p>The functions have the same effects on the same tables under the same constraints as the
 * product's: an acquire locks the account, takes the units allowance first, inserts the lease under
 * the next fence and the journal row with the numbers afterwards; a release ends the lease and puts
 * its units back. They are what one would write without a grid.
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

  private static final String RELEASE =
      """
      CREATE OR REPLACE FUNCTION bench_release(
        p_account uuid, p_lease uuid, p_fence bigint, p_request bytea, p_outcome bytea)
      RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        a account%ROWTYPE;
        l lease%ROWTYPE;
        now_nanos bigint := (extract(epoch FROM clock_timestamp()) * 1000000000)::bigint;
        units bigint;
      BEGIN
        SELECT * INTO STRICT a FROM account WHERE id = p_account FOR UPDATE;
        SELECT * INTO STRICT l FROM lease WHERE account = p_account AND id = p_lease FOR UPDATE;
        IF l.fence <> p_fence OR l.state <> 0 THEN
          RETURN 0;
        END IF;
        units := l.granted_allowance + l.granted_top_up;
        UPDATE account SET version = a.version + 1, as_of = greatest(now_nanos, a.as_of),
          allowance = a.allowance + l.granted_allowance, top_up = a.top_up + l.granted_top_up,
          outstanding = a.outstanding - units
        WHERE id = p_account;
        UPDATE lease SET returned_allowance = l.granted_allowance, returned_top_up = l.granted_top_up, state = 3,
          ended_at = now_nanos, step_number = 1, step_kind = 2, step_argument = units, step_restored = units,
          step_expired = 0, step_loss = 0, step_expires_at = l.expires_at
        WHERE account = p_account AND id = p_lease;
        INSERT INTO journal (month, account, version, actor, request, outcome, ledger_time, recorded_at, deposited,
          overage, allowance, top_up, outstanding, billed, loss_resident, loss_archived, expired, unfunded, next_fence,
          policy_generation, period_number)
        VALUES (to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMM')::integer, p_account, a.version + 1, 'bench',
          p_request, p_outcome, now_nanos, now_nanos, a.deposited, a.overage, a.allowance + l.granted_allowance,
          a.top_up + l.granted_top_up, a.outstanding - units, a.billed, a.loss_resident, a.loss_archived, a.expired,
          a.unfunded, a.next_fence, a.policy_generation, a.period_number);
        RETURN units;
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
      statement.execute(RELEASE);
    }
  }

  /**
   * Calls per second that {@code connections} sustain for {@code nanos}, each thread with its own
   * connection.
   */
  double callsPerSecond(Work work, AccountPick pick, int connections, long nanos)
      throws InterruptedException {
    final ExecutorService threads = Executors.newFixedThreadPool(connections);
    try (HikariDataSource pool = pool(connections)) {
      final Stopwatch watch = Stopwatch.start();
      final List<Future<Long>> runs = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        runs.add(threads.submit(worker(work, pool, pick, watch, nanos)));
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
      Work work, HikariDataSource pool, AccountPick pick, Stopwatch watch, long nanos) {
    return () -> {
      long calls = 0;
      try (Connection connection = pool.getConnection();
          PreparedStatement acquire =
              connection.prepareStatement("SELECT bench_acquire(?, ?, ?, ?, ?, ?, ?, ?, ?)");
          PreparedStatement release =
              connection.prepareStatement("SELECT bench_release(?, ?, ?, ?, ?)")) {
        final ThreadLocalRandom random = ThreadLocalRandom.current();
        while (watch.elapsedNanos() < nanos) {
          final UUID account = accounts.get(pick.next()).toUuid();
          final UUID lease = new Id128(random.nextLong(), random.nextLong()).toUuid();
          acquire.setObject(1, account);
          acquire.setObject(2, lease);
          acquire.setObject(3, new Id128(1, 1).toUuid());
          acquire.setObject(4, new Id128(random.nextLong(), random.nextLong()).toUuid());
          acquire.setLong(5, wantUnits);
          acquire.setLong(6, GridSide.TTL_NANOS);
          acquire.setLong(7, GridSide.GRACE_NANOS);
          acquire.setBytes(8, request);
          acquire.setBytes(9, outcome);
          final long fence = call(acquire);
          calls++;
          if (work == Work.TURNOVER) {
            release.setObject(1, account);
            release.setObject(2, lease);
            release.setLong(3, fence);
            release.setBytes(4, request);
            release.setBytes(5, outcome);
            final long unused = call(release);
            calls++;
          }
        }
      }
      return calls;
    };
  }

  private static long call(PreparedStatement function) throws SQLException {
    try (var result = function.executeQuery()) {
      if (!result.next() || result.getLong(1) == 0) {
        throw new IllegalStateException("a call that nothing speaks against was refused");
      }
      return result.getLong(1);
    }
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
