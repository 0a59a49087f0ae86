package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.jet.JetService;
import com.hazelcast.jet.Job;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.core.JobStatus;
import io.micrometer.core.instrument.Counter;
import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.TestCluster;
import io.tollgrid.pipelines.Build;
import io.tollgrid.pipelines.sweep.MemberSweep;
import io.tollgrid.pipelines.sweep.Sweep;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R12, R14 and R19 on a node with a real PostgreSQL: nobody asks, and yet what is due is
 * done, to the unit and once.
 */
@Timeout(300)
class SweepsTest {
  private static final long DAY_NANOS = 86_400_000_000_000L;

  private static TestCluster cluster;
  private static TestPostgres postgres;

  @BeforeAll
  static void start() {
    cluster = TestCluster.of(1).start();
    postgres = cluster.postgres();
    for (final Sweep sweep : Sweep.values()) {
      until(sweep + " runs", () -> status(ours(sweep)) == JobStatus.RUNNING);
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void leasesPastTheirGraceAreWrittenOffInPagesWithTheirExactLoss() throws SQLException {
    final double pages = counted("tollgrid.sweep.pages", "result", "read");
    final double leases = counted("tollgrid.sweep.leases.reclaimed");
    final double units = counted("tollgrid.sweep.units.forfeited");

    postgres.execute(expiredLeases(1, 1_000, 2));

    until("all are written off", () -> leasesOf(1, "state = 1 AND loss = 5") == 2_000);
    assertThat(
            postgres.number(
                "SELECT count(*) FROM account WHERE "
                    + isOf("id", 1)
                    + " AND outstanding = 0 AND loss_resident = 10 AND top_up = 990 AND version = 2"))
        .isEqualTo(1_000);
    until("all is counted", () -> counted("tollgrid.sweep.leases.reclaimed") == leases + 2_000);
    assertThat(counted("tollgrid.sweep.units.forfeited")).isEqualTo(units + 10_000);
    assertThat(counted("tollgrid.sweep.pages", "result", "read")).isGreaterThanOrEqualTo(pages + 4);
  }

  @Test
  void accountsDueAtOneMidnightCrossOnceWithTwoDriversAtWork() throws SQLException {
    final String other = "a-second-rollover";
    final var unused =
        jet().newJob(MemberSweep.graph(Sweep.ROLLOVER), new JobConfig().setName(other));
    until("the other driver runs", () -> status(other) == JobStatus.RUNNING);
    final double crossings = counted("tollgrid.sweep.crossings");
    final long now = postgres.number("SELECT (extract(epoch FROM now()) * 1000000000)::bigint");

    postgres.execute(
        accounts(
            2,
            2_000,
            "deposited, allowance, top_up, outstanding, next_fence, period_number, period_end,"
                + " schedule_kind, schedule_zone, schedule_anchor_day, schedule_amount",
            "50, 40, 10, 0, 1, 7, " + (now - now % DAY_NANOS) + ", 0, 'UTC', 1, 100"));

    until(
        "all have crossed",
        () ->
            postgres.number(
                    "SELECT count(*) FROM account WHERE "
                        + isOf("id", 2)
                        + " AND period_number = 8")
                == 2_000);
    until(
        "each crossing is counted", () -> counted("tollgrid.sweep.crossings") == crossings + 2_000);
    assertThat(
            postgres.number(
                "SELECT count(*) FROM account WHERE "
                    + isOf("id", 2)
                    + " AND deposited = 150 AND allowance = 100 AND top_up = 10 AND expired = 40"
                    + " AND version = 2"))
        .isEqualTo(2_000);
    assertThat(postgres.number("SELECT count(*) FROM journal WHERE " + isOf("account", 2)))
        .isEqualTo(2_000);
    jet().getJob(other).cancel();
  }

  @Test
  void anAccountThatCannotBeServedDelaysNobodyAndIsServedOnceItCan() throws SQLException {
    // In one transaction, so that no sweep sees it whole.
    postgres.execute(
        expiredLeases(3, 1, 1) + "; UPDATE lease SET billed = 1 WHERE " + isOf("account", 3));
    until("it fails", () -> counted("tollgrid.sweep.failures", "code", "CORRUPT") > 0);

    postgres.execute(expiredLeases(4, 20, 1));

    until("those behind it are served", () -> leasesOf(4, "state = 1") == 20);
    assertThat(leasesOf(3, "state = 0")).isEqualTo(1);
    assertThat(waiting()).isEqualTo(1);
    postgres.execute("UPDATE lease SET billed = 0 WHERE " + isOf("account", 3));
    until("it is served", () -> leasesOf(3, "state = 1") == 1 && waiting() == 0);
  }

  @Test
  void aJobThatEndsIsSubmittedAgainAndTheNodeStaysReady() {
    final Job first = jet().getJob(ours(Sweep.RECLAIM));
    first.cancel();

    until(
        "another one runs",
        () ->
            jet().getJob(ours(Sweep.RECLAIM)).getId() != first.getId()
                && status(ours(Sweep.RECLAIM)) == JobStatus.RUNNING);

    assertThat(cluster.node(0).ready()).isTrue();
    until(
        "readiness shows it",
        () ->
            cluster.node(0).readiness().counts().get("jobs") instanceof Map<?, ?> jobs
                && "RUNNING".equals(jobs.get(ours(Sweep.RECLAIM))));
    assertThat(counted("tollgrid.job.restarts", "job", "reclaim")).isPositive();
  }

  /**
   * Inserts accounts of a group with leases of five units each, all of them due, the first ones
   * first.
   */
  private static String expiredLeases(int group, int accounts, int leasesEach) {
    return accounts(
            group,
            accounts,
            "deposited, allowance, top_up, outstanding, next_fence, period_number, period_end",
            "1000, 0, 1000 - 5 * L, 5 * L, L + 1, 0, 9223372036854775807"
                .replace("L", Integer.toString(leasesEach)))
        + "; INSERT INTO lease (account, id, holder, fence, body_hash, period_number,"
        + " granted_allowance, granted_top_up, first_expires_at, expires_at, grace) SELECT "
        + id(group, "n")
        + ", "
        + id(group, "n * 10 + fence")
        + ", "
        + id(group, "n")
        + ", fence, "
        + id(group, "n")
        + ", 0, 0, 5, 1, n, 1 FROM generate_series(1, "
        + accounts
        + ") n, generate_series(1, "
        + leasesEach
        + ") fence";
  }

  /** Inserts strict, active accounts of a group. */
  private static String accounts(int group, int count, String columns, String values) {
    return "INSERT INTO account (id, version, as_of, policy_generation, status, capacity_class, mode,"
        + " overage_cap, requests_per_second, burst_requests, units_per_second, burst_units,"
        + " concurrency_ceiling, ever_elastic, change_pending, funded_day, funded_week, funded_month, "
        + columns
        + ") SELECT "
        + id(group, "n")
        + ", 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, 0, 0, 0, "
        + values
        + " FROM generate_series(1, "
        + count
        + ") n";
  }

  private static String id(int group, String number) {
    return "('" + group + "' || lpad(to_hex(" + number + "), 31, '0'))::uuid";
  }

  private static String isOf(String column, int group) {
    return column
        + " BETWEEN '"
        + new Id128((long) group << 60, 0).toUuid()
        + "' AND '"
        + new Id128((long) group << 60, -1).toUuid()
        + "'";
  }

  private static long leasesOf(int group, String condition) throws SQLException {
    return postgres.number(
        "SELECT count(*) FROM lease WHERE " + isOf("account", group) + " AND " + condition);
  }

  private static JetService jet() {
    return cluster.node(0).hazelcast().getJet();
  }

  private static String ours(Sweep sweep) {
    return "tollgrid-" + sweep.label() + "@" + Build.current();
  }

  private static JobStatus status(String job) {
    return jet().getJob(job).getStatus();
  }

  private static void until(String what, Callable<Boolean> condition) {
    Eventually.until(what, TestCluster.PATIENCE, condition);
  }

  private static double waiting() {
    return cluster
        .node(0)
        .metrics()
        .get("tollgrid.sweep.accounts.waiting")
        .tag("sweep", "reclaim")
        .gauge()
        .value();
  }

  private static double counted(String name, String... tags) {
    return cluster.node(0).metrics().find(name).tags(tags).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }
}
