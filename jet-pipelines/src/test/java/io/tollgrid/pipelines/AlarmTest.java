package io.tollgrid.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.jet.Job;
import com.hazelcast.jet.core.JobStatus;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.pipelines.ingest.MemberIngest;
import io.tollgrid.pipelines.sweep.Sweep;
import io.tollgrid.pipelines.testing.Eventually;
import io.tollgrid.pipelines.testing.ScriptedDue;
import io.tollgrid.pipelines.testing.ScriptedLedgers;
import io.tollgrid.pipelines.testing.Usage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R53, and the alarms of R9, R20, R23, R54 and R57: each alarm fires for its cause, and
 * for no other's, and clears when the cause is gone. An alarm without a self-test does not compile:
 * the switch below has no default.
 */
class AlarmTest {
  private static JobMember member;

  @BeforeAll
  static void open() {
    member = new JobMember();
  }

  @AfterEach
  void reset() {
    member.reset();
  }

  @AfterAll
  static void close() {
    member.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyAlarmFiresForItsCauseAndClears(Alarm alarm) {
    final ScriptedLedgers ledgers = ScriptedLedgers.willing(member.leases);
    final JobSupervisor supervisor = member.start(ledgers, JobMember.BUILD);
    final Job job = member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);
    member.untilRuns(supervisor, Sweep.ROLLOVER, JobMember.BUILD);
    member.untilRuns(supervisor, MemberIngest.LABEL, JobMember.BUILD);
    pass(supervisor);
    Eventually.until("all is quiet", () -> firing().isEmpty());

    final SelfTest test =
        switch (alarm) {
          case JOB_NOT_RUNNING ->
              new SelfTest(
                  job::suspend,
                  () -> {
                    Eventually.until("suspended", () -> job.getStatus() == JobStatus.SUSPENDED);
                    job.resume();
                  });
          case SWEEP_LAGGING ->
              new SelfTest(
                  () -> {
                    ledgers.follow(command -> new CompletableFuture<>());
                    member.leases.add(
                        1, member.clock.nowNanos() - Duration.ofSeconds(61).toNanos());
                  },
                  () -> member.leases.settle(ScriptedDue.account(1)));
          case ACCOUNTS_STUCK ->
              new SelfTest(
                  () -> {
                    ledgers.follow(
                        command ->
                            ScriptedLedgers.answer(
                                new Outcome.Refused(Refusal.ACCOUNT_SUSPENDED, null)));
                    member.leases.add(1, member.clock.nowNanos());
                  },
                  () -> ledgers.follow(command -> ScriptedLedgers.serve(member.leases, command)));
          case USAGE_LAGGING ->
              new SelfTest(
                  () -> {
                    ledgers.follow(command -> new CompletableFuture<>());
                    Usage.leave(member.hazelcast, 1);
                  },
                  () -> Usage.forget(member.hazelcast, 1));
          case USAGE_STUCK ->
              new SelfTest(
                  () -> {
                    ledgers.follow(
                        command ->
                            ScriptedLedgers.answer(new Outcome.Refused(Refusal.EXPIRED, null)));
                    Usage.leave(member.hazelcast, 1);
                  },
                  () -> ledgers.follow(Usage::record));
          case DEFAULT_PARTITION_IN_USE ->
              new SelfTest(() -> member.months.use("usage_default"), member.months::heal);
          case MONTHS_NOT_AHEAD ->
              new SelfTest(() -> member.months.block("usage_209901"), member.months::heal);
          case RECONCILIATION_FOUND ->
              new SelfTest(() -> member.books.spoil(1, "five leases too many"), member.books::heal);
          case RECONCILIATION_LATE ->
              new SelfTest(() -> member.books.holdUp(1), member.books::heal);
          case USAGE_REJECTED ->
              new SelfTest(
                  () -> member.unpaid.put(UsageVerdict.BEYOND_LEASE, 3L), member.unpaid::clear);
          case USAGE_UNFUNDED ->
              new SelfTest(
                  () -> member.unpaid.put(UsageVerdict.UNFUNDED, 3L), member.unpaid::clear);
          case AUTHORITY_BEHIND ->
              new SelfTest(
                  member.regressions::incrementAndGet, () -> member.later.pass(JobMember.LATELY));
          case CLOCK_SKEWED ->
              new SelfTest(
                  () -> member.beyondSkew = Duration.ofSeconds(-2),
                  () -> member.beyondSkew = Duration.ZERO);
        };
    test.cause().run();
    Eventually.until(
        alarm + " fires",
        () -> {
          pass(supervisor);
          return gauge(alarm) == 1;
        });
    assertThat(firing()).containsExactly(alarm);
    assertThat(alarm.causes(member.pipelines()))
        .singleElement()
        .asString()
        .containsAnyOf(
            "reclaim", "usage", "five", "reconciled", "PostgreSQL was", "2000 ms behind");

    test.repair().run();
    Eventually.until(
        alarm + " clears",
        () -> {
          pass(supervisor);
          return gauge(alarm) == 0;
        });
  }

  private static void pass(JobSupervisor supervisor) {
    supervisor.pass();
    try {
      member.pipelines().watches().months().pass();
      member.pipelines().watches().unpaid().pass();
      member.pipelines().watches().reconciliation().pass();
      member.pipelines().watches().regression().pass();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private record SelfTest(Runnable cause, Runnable repair) {}

  private static List<Alarm> firing() {
    return Arrays.stream(Alarm.values()).filter(alarm -> gauge(alarm) != 0).toList();
  }

  private static double gauge(Alarm alarm) {
    return member.gauge("tollgrid.alarm", "name", alarm.name());
  }
}
