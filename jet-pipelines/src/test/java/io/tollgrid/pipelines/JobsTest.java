package io.tollgrid.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.jet.Job;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.core.DAG;
import com.hazelcast.jet.core.JobStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.MemberStage;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.pipelines.sweep.MemberSweep;
import io.tollgrid.pipelines.sweep.Sweep;
import io.tollgrid.pipelines.testing.Eventually;
import io.tollgrid.pipelines.testing.ManualClock;
import io.tollgrid.pipelines.testing.ScriptedDue;
import io.tollgrid.pipelines.testing.ScriptedLedgers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R19, R40 and architecture §6 on a real member: jobs sweep what is due in bounded pages,
 * an account that cannot be served delays nobody, and whatever ends a job, it runs again.
 */
class JobsTest {
  private static final Build OLDER = Build.of("1.9");
  private static final Build NEWER = Build.of("2.1");

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

  @Test
  void whatIsDueIsSweptPageByPageAndCounted() {
    final long now = member.clock.nowNanos();
    for (int n = 0; n < 30; n++) {
      member.leases.add(n, now - 100 + n);
      member.boundaries.add(n, now - 100 + n);
    }
    final ScriptedLedgers ledgers =
        new ScriptedLedgers(
            command ->
                ScriptedLedgers.serve(
                    command.command() instanceof LedgerCommand.Cross
                        ? member.boundaries
                        : member.leases,
                    command));
    final JobSupervisor supervisor = member.start(ledgers, JobMember.BUILD);

    member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);
    member.untilRuns(supervisor, Sweep.ROLLOVER, JobMember.BUILD);
    Eventually.until(
        "all is swept", () -> member.leases.size() == 0 && member.boundaries.size() == 0);

    Eventually.until(
        "all is counted", () -> member.count("tollgrid.sweep.accounts", "result", "served") == 60);
    assertThat(member.count("tollgrid.sweep.leases.reclaimed")).isEqualTo(30);
    assertThat(member.count("tollgrid.sweep.units.forfeited")).isEqualTo(150);
    assertThat(member.count("tollgrid.sweep.crossings")).isEqualTo(30);
    assertThat(member.gauge("tollgrid.job.running", "job", "reclaim")).isEqualTo(1);
    assertThat(supervisor.jobs())
        .allSatisfy(
            job -> {
              assertThat(job.status()).isEqualTo("RUNNING");
              assertThat(job.restarts()).isZero();
              assertThat(job.notRunningNanos()).isEmpty();
            });
  }

  @Test
  void accountsThatCannotBeServedDoNotBlockThoseBehindThem() {
    final long now = member.clock.nowNanos();
    for (int n = 0; n < 40; n++) {
      member.leases.add(n, now - 100 + n);
    }
    final Set<Integer> wedged = Set.of(0, 1, 2, 3, 4);
    final ScriptedLedgers ledgers =
        new ScriptedLedgers(
            command ->
                wedged.stream().map(ScriptedDue::account).anyMatch(command.account()::equals)
                    ? new CompletableFuture<>()
                    : ScriptedLedgers.serve(member.leases, command));
    final JobSupervisor supervisor = member.start(ledgers, JobMember.BUILD);

    member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);

    Eventually.until("all others are served", () -> member.leases.size() == wedged.size());
  }

  @Test
  void aJobThatWasCancelledIsSubmittedAgain() {
    final JobSupervisor supervisor =
        member.start(ScriptedLedgers.willing(member.leases), JobMember.BUILD);
    final Job first = member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);

    first.cancel();
    Eventually.until("it ended", () -> first.getStatus() == JobStatus.FAILED);
    final Job second = member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);

    assertThat(second.getId()).isNotEqualTo(first.getId());
    assertThat(health(supervisor, Sweep.RECLAIM).restarts()).isPositive();
  }

  @Test
  void aJobThatFailsIsSubmittedAgainUntilItRuns() {
    member.broken = new IllegalStateException("no stage begins, as the test wants");
    final JobSupervisor supervisor =
        member.start(ScriptedLedgers.willing(member.leases), JobMember.BUILD);
    Eventually.until(
        "it has failed twice",
        () -> {
          supervisor.pass();
          return health(supervisor, Sweep.RECLAIM).restarts() >= 2;
        });
    assertThat(health(supervisor, Sweep.RECLAIM).notRunningNanos()).isPresent();

    member.broken = null;

    member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);
    assertThat(health(supervisor, Sweep.RECLAIM).notRunningNanos()).isEmpty();
  }

  @Test
  void aJobThatIsSuspendedIsLeftToWhoeverSuspendedIt() {
    final JobSupervisor supervisor =
        member.start(ScriptedLedgers.willing(member.leases), JobMember.BUILD);
    final Job job = member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);

    job.suspend();
    Eventually.until("it is suspended", () -> job.getStatus() == JobStatus.SUSPENDED);
    supervisor.pass();

    assertThat(member.job(Sweep.RECLAIM, JobMember.BUILD).getId()).isEqualTo(job.getId());
    assertThat(health(supervisor, Sweep.RECLAIM).status()).isEqualTo("SUSPENDED");
    job.resume();
    member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);
  }

  @Test
  void aJobAtWhichNobodyLooksAnyMoreIsNotKnownToRun() {
    final ManualClock clock = new ManualClock();
    final JobSupervisor supervisor =
        new JobSupervisor(
            member.hazelcast, JobMember.BUILD, clock, JobMember.JOBS, new SimpleMeterRegistry());
    member.start(ScriptedLedgers.willing(member.leases), JobMember.BUILD);
    member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);

    clock.pass(Duration.ofMinutes(5));
    assertThat(health(supervisor, Sweep.RECLAIM).notRunningNanos()).isEmpty();
    clock.pass(Duration.ofNanos(1));

    assertThat(health(supervisor, Sweep.RECLAIM).status()).isEqualTo("UNKNOWN");
    assertThat(health(supervisor, Sweep.RECLAIM).notRunningNanos())
        .hasValue(Duration.ofMinutes(5).toNanos() + 1);
  }

  @Test
  void theOlderBuildOnlyWatchesWhatTheNewerRuns() {
    final Build build = Build.of("1.8");
    final JobSupervisor older = member.start(ScriptedLedgers.willing(member.leases), build);
    older.pass();
    assertThat(member.status(Sweep.RECLAIM, build)).isNull();

    final JobSupervisor ours =
        member.start(ScriptedLedgers.willing(member.leases), JobMember.BUILD);
    final Job job = member.untilRuns(ours, Sweep.RECLAIM, JobMember.BUILD);
    older.pass();

    assertThat(job.getStatus()).isEqualTo(JobStatus.RUNNING);
    assertThat(health(older, Sweep.RECLAIM).status()).isEqualTo("RUNNING");
    assertThat(health(older, Sweep.RECLAIM).name())
        .isEqualTo(JobMember.name(Sweep.RECLAIM, JobMember.BUILD));
  }

  @Test
  void theNewestBuildPresentEndsTheJobsOfAllOthers() {
    // Both build's members ran before and are gone; what they submitted is left.
    for (final Build gone : List.of(OLDER, NEWER)) {
      final var unused =
          member
              .hazelcast
              .getJet()
              .newJob(
                  MemberSweep.graph(Sweep.RECLAIM),
                  new JobConfig().setName(JobMember.name(Sweep.RECLAIM, gone)));
    }
    final JobSupervisor supervisor =
        member.start(ScriptedLedgers.willing(member.leases), JobMember.BUILD);

    member.untilRuns(supervisor, Sweep.RECLAIM, JobMember.BUILD);

    Eventually.until(
        "only ours is left",
        () -> {
          supervisor.pass();
          return member.status(Sweep.RECLAIM, OLDER) == JobStatus.FAILED
              && member.status(Sweep.RECLAIM, NEWER) == JobStatus.FAILED;
        });
    assertThat(member.status(Sweep.RECLAIM, JobMember.BUILD)).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void twoMembersThatRaceSubmitOneJob() {
    final ScriptedLedgers ledgers = ScriptedLedgers.willing(member.leases);
    final JobSupervisor one = member.start(ledgers, JobMember.BUILD);
    final JobSupervisor other = member.start(ledgers, JobMember.BUILD);

    CompletableFuture.allOf(
            CompletableFuture.runAsync(one::pass), CompletableFuture.runAsync(other::pass))
        .join();

    final Job job = member.untilRuns(one, Sweep.RECLAIM, JobMember.BUILD);
    member.untilRuns(other, Sweep.RECLAIM, JobMember.BUILD);
    assertThat(member.job(Sweep.RECLAIM, JobMember.BUILD).getId()).isEqualTo(job.getId());
    assertThat(
            member
                .hazelcast
                .getJet()
                .getJobs(JobMember.name(Sweep.RECLAIM, JobMember.BUILD))
                .stream()
                .filter(each -> !each.getStatus().isTerminal()))
        .hasSize(1);
  }

  /** Whoever is the master reads the graph, and may be a lite member that has no pipelines. */
  @Test
  void aSerializedJobNamesNoClassOfOursButOne() {
    final SerializationService serialization =
        ((HazelcastInstanceProxy) member.hazelcast).getSerializationService();
    final Data graph = serialization.toData(MemberSweep.graph(Sweep.RECLAIM));
    final Matcher classes =
        Pattern.compile("io[./]tollgrid[./][\\w./$]+")
            .matcher(new String(graph.toByteArray(), StandardCharsets.ISO_8859_1));
    final Set<String> named = new HashSet<>();
    while (classes.find()) {
      named.add(classes.group());
    }

    assertThat(named).containsExactly(MemberStage.class.getName());
    assertThat(serialization.<DAG>toObject(graph).iterator()).toIterable().hasSize(2);
  }

  private static JobHealth health(JobSupervisor supervisor, Sweep sweep) {
    return supervisor.jobs().stream()
        .filter(job -> job.name().contains("-" + sweep.label() + "@"))
        .findFirst()
        .orElseThrow();
  }
}
