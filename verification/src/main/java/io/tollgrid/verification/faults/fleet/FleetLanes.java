package io.tollgrid.verification.faults.fleet;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.LeaseSettings;
import io.tollgrid.client.PolicySettings;
import io.tollgrid.client.Readiness;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.client.Tracked;
import io.tollgrid.client.UsageSettings;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What schedules cannot show: how long word takes, how units held in small come together, and what
 * instances do while every member stands still.
 */
final class FleetLanes {
  /** Its name in results. */
  static final String NAME = "fleet-lanes";

  private static final int MEMBERS = 3;
  private static final int MANY = 50;
  private static final int TRIALS = 200;
  private static final int LISTENERS = 3;
  private static final long FELT_MILLIS = 100;
  private static final Duration TOGETHER_WITHIN = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SHUTDOWN = Duration.ofSeconds(10);
  private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(40);
  private static final long FROZEN_MILLIS = 16_000;
  private static final Duration LIMIT = Duration.ofMinutes(8);

  private final long seed;
  private final Progress progress;
  private final List<String> shortfalls = new ArrayList<>();
  private final Map<String, Long> facts = new TreeMap<>();
  private final SplittableRandom random;
  private final List<Id128> accounts = new ArrayList<>();

  FleetLanes(long seed, Progress progress) {
    this.seed = seed;
    this.progress = progress;
    this.random = new SplittableRandom(seed ^ 0x1A9E);
  }

  RunResult run(Path directory) throws SQLException {
    try (Rig rig = Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 100, directory, LIMIT, progress)) {
      rig.startAll();
      expect(rig.awaitWhole(MEMBERS), "three members become ready");
      try (FleetOperator operator = FleetOperator.of(rig)) {
        word(rig, operator);
        together(rig, operator, false);
        together(rig, operator, true);
        standstill(rig, operator);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        shortfalls.add("it was interrupted");
      }
      rig.cluster().killAll();
      final FleetEvidence evidence = rig.evidence();
      final List<Violation> violations = rig.check(VISIBLE_WITHIN).check(evidence);
      violations.forEach(violation -> progress.say(NAME + ": VIOLATION " + violation));
      final FleetTotals totals = FleetTotals.of(evidence);
      totals.countInto(facts);
      expect(totals.outstanding() == 0, "nothing is outstanding, seen " + totals.outstanding());
      return new RunResult(NAME, facts, violations, shortfalls, Map.of());
    }
  }

  private void expect(boolean cameTrue, String what) {
    progress.say(NAME + ": " + (cameTrue ? "seen: " : "NOT SEEN: ") + what);
    if (!cameTrue) {
      shortfalls.add(what);
    }
  }

  /** As {@link #expect}, of what happens often: told only if it did not come true. */
  private void require(boolean cameTrue, String what) {
    if (!cameTrue) {
      expect(false, what);
    }
  }

  private Id128 funded(FleetOperator operator, long units) throws SQLException {
    final Id128 account = new Id128(random.nextLong(), random.nextLong());
    operator.found(List.of(account), units);
    operator.assign(account, account);
    accounts.add(account);
    return account;
  }

  // Word of deposits, suspensions and revocations

  private void word(Rig rig, FleetOperator operator) throws SQLException {
    try (LocalInstances local = new LocalInstances(rig)) {
      final Id128 account = funded(operator, 0);
      for (int i = 0; i < LISTENERS; i++) {
        local.start(InstanceSettings.DEFAULTS, false);
      }
      final InstanceRuntime deaf = local.start(InstanceSettings.DEFAULTS, true);
      final long[] millis = new long[TRIALS];
      for (int trial = 0; trial < TRIALS; trial++) {
        final InstanceRuntime refused = local.all().get(trial % LISTENERS);
        drain(local, refused, account);
        operator.deposit(List.of(account), 7);
        final long felt =
            local.untilNanos(() -> local.serve(refused, account, 7), Duration.ofSeconds(5));
        millis[trial] = felt < 0 ? 5_000 : felt / 1_000_000;
      }
      Arrays.sort(millis);
      facts.put("deposit_felt_p50_millis", millis[TRIALS / 2]);
      facts.put("deposit_felt_p99_millis", millis[TRIALS * 99 / 100]);
      facts.put("deposit_felt_most_millis", millis[TRIALS - 1]);
      expect(
          millis[TRIALS * 99 / 100] <= FELT_MILLIS,
          "99 of 100 deposits are felt within 100 ms, seen " + millis[TRIALS * 99 / 100]);
      drain(local, deaf, account);
      operator.deposit(List.of(account), 7);
      final long byBackstop =
          local.untilNanos(() -> local.serve(deaf, account, 7), Duration.ofSeconds(5));
      facts.put("deposit_felt_without_word_millis", byBackstop / 1_000_000);
      expect(
          byBackstop >= 0 && byBackstop < 1_500_000_000L,
          "without word a deposit is felt by the backstop, seen " + byBackstop / 1_000_000);
      refusals(local, operator);
    }
  }

  /**
   * Asks until the ledger says that there is nothing, as it would for a user who has used it up.
   */
  private void drain(LocalInstances local, InstanceRuntime instance, Id128 account) {
    final boolean[] refused = new boolean[1];
    local.untilNanos(
        () -> {
          final Denial denial = local.told(instance, account, 7);
          refused[0] = denial == Denial.BALANCE_EXHAUSTED || denial == Denial.BALANCE_INSUFFICIENT;
          return refused[0];
        },
        PATIENCE);
    require(refused[0], "a drained account is refused for good");
  }

  private void refusals(LocalInstances local, FleetOperator operator) throws SQLException {
    final Id128 account = funded(operator, 1_000);
    for (final InstanceRuntime instance : local.all()) {
      require(
          local.untilNanos(() -> local.told(instance, account, 1) == null, PATIENCE) >= 0,
          "a funded account is served");
    }
    operator.status(List.of(account), AccountStatus.SUSPENDED);
    final long suspended = slowest(local, account, Denial.ACCOUNT_SUSPENDED);
    facts.put("suspension_felt_most_millis", suspended);
    operator.status(List.of(account), AccountStatus.ACTIVE);
    for (final InstanceRuntime instance : local.all().subList(0, LISTENERS)) {
      require(
          local.untilNanos(() -> local.told(instance, account, 1) == null, PATIENCE) >= 0,
          "an activated account is served again");
    }
    operator.publications().revoke(account);
    final long revoked = slowest(local, account, Denial.PRINCIPAL_REVOKED);
    facts.put("revocation_felt_most_millis", revoked);
    expect(
        suspended >= 0 && suspended <= 1_000 && revoked >= 0 && revoked <= 1_000,
        "a suspension and a revocation are felt after one word, seen "
            + suspended
            + " and "
            + revoked
            + " ms");
  }

  private long slowest(LocalInstances local, Id128 account, Denial expected) {
    long slowest = 0;
    for (final InstanceRuntime instance : local.all().subList(0, LISTENERS)) {
      final long nanos =
          local.untilNanos(() -> local.told(instance, account, 1) == expected, PATIENCE);
      slowest = nanos < 0 ? -1_000_000_000L : slowest + nanos;
    }
    return slowest / 1_000_000;
  }

  // Units held in small (R2)

  /**
   * Fifty instances hold two units each of an account that has no more, and one asks for all of
   * them.
   *
   * @param busy whether the others go on serving requests of one unit meanwhile
   */
  private void together(Rig rig, FleetOperator operator, boolean busy)
      throws SQLException, InterruptedException {
    final Id128 account = funded(operator, 2L * MANY);
    final InstanceSettings settings =
        InstanceSettings.DEFAULTS
            .with(
                LeaseSettings.DEFAULTS
                    .lasting(FleetInstance.TTL, FleetInstance.MARGIN)
                    .granting(2, MANY))
            .with(UsageSettings.DEFAULTS.queue(1, 1_024));
    try (LocalInstances local = new LocalInstances(rig)) {
      for (int i = 0; i < MANY; i++) {
        local.start(settings, false);
      }
      for (final InstanceRuntime instance : local.all()) {
        require(
            local.untilNanos(() -> local.told(instance, account, 1) == null, PATIENCE) >= 0,
            "each of fifty instances holds a lease");
      }
      final AtomicBoolean done = new AtomicBoolean();
      final @Nullable Thread traffic = busy ? traffic(local, account, done) : null;
      final InstanceRuntime asker = local.all().get(0);
      final Duration longest = busy ? FleetInstance.TTL.plusSeconds(2) : PATIENCE;
      final long took =
          local.untilNanos(() -> local.told(asker, account, 2L * MANY) == null, longest);
      done.set(true);
      if (traffic != null) {
        traffic.join();
      }
      facts.put(busy ? "together_busy_millis" : "together_millis", took / 1_000_000);
      expect(
          took >= 0 && (busy || took <= TOGETHER_WITHIN.toNanos()),
          "a quote of all that fifty instances hold"
              + (busy ? " and use" : "")
              + " is admitted, seen after "
              + took / 1_000_000
              + " ms");
      final List<ShutdownReport> left = local.shutdown(SHUTDOWN);
      expect(
          left.stream().allMatch(ShutdownReport::isClean),
          "fifty instances leave nothing behind, seen "
              + left.stream().filter(report -> !report.isClean()).findFirst().orElse(null));
    }
    try (Connection connection = rig.postgres().connect();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT allowance + top_up, loss_resident + loss_archived FROM account"
                    + " WHERE id = ?")) {
      select.setObject(1, account.toUuid());
      try (ResultSet row = select.executeQuery()) {
        expect(
            row.next() && row.getLong(1) == 2L * MANY && row.getLong(2) == 0,
            "and no unit is lost");
      }
    }
  }

  /** Forty-nine instances serve quotes of one, and give back what they did not use. */
  private static Thread traffic(LocalInstances local, Id128 account, AtomicBoolean done) {
    final Thread traffic =
        new Thread(
            () -> {
              while (!done.get()) {
                for (final InstanceRuntime instance : local.all().subList(1, local.all().size())) {
                  final @Nullable Denial unused = local.told(instance, account, 1);
                }
                LockSupport.parkNanos(2_000_000);
              }
            },
            "traffic");
    traffic.setDaemon(true);
    traffic.start();
    return traffic;
  }

  // Every member stands still

  private void standstill(Rig rig, FleetOperator operator)
      throws SQLException, InterruptedException {
    final Id128 account = funded(operator, 10_000);
    final InstanceSettings settings =
        InstanceSettings.DEFAULTS
            .with(LeaseSettings.DEFAULTS.lasting(FleetInstance.TTL, FleetInstance.MARGIN))
            .with(PolicySettings.DEFAULTS.refreshedEvery(FleetInstance.REFRESH))
            .with(UsageSettings.DEFAULTS.queue(1, 256));
    try (LocalInstances local = new LocalInstances(rig)) {
      final InstanceRuntime staying = local.start(settings, false);
      final InstanceRuntime leaving = local.start(settings, false);
      for (final InstanceRuntime instance : local.all()) {
        require(
            local.untilNanos(() -> local.serve(instance, account, 1), PATIENCE) >= 0,
            "a funded account is served");
      }
      require(staying.flush(PATIENCE), "usage is recorded");
      for (int member = 0; member < MEMBERS; member++) {
        rig.cluster().process(member).freeze();
      }
      final long frozenAt = System.nanoTime();
      expect(
          local.serve(staying, account, 1), "while all members stand still, leases go on serving");
      // A quote that the lease cannot serve: its consolidation is in flight when nobody answers.
      final @Nullable Denial unused = local.told(staying, account, 5_000);
      final long queueFull =
          local.untilNanos(
              () ->
                  !local.serve(staying, account, 0)
                      && local.told(staying, account, 0) == Denial.USAGE_QUEUE_FULL,
              FleetInstance.TTL);
      expect(queueFull >= 0, "and sheds when its queue of usage is full");
      final long from = System.nanoTime();
      final ShutdownReport left = leaving.shutdown(SHUTDOWN);
      final long tookMillis = (System.nanoTime() - from) / 1_000_000;
      facts.put("standstill_shutdown_millis", tookMillis);
      expect(
          tookMillis <= SHUTDOWN.toMillis() + 1_000,
          "a shutdown meanwhile keeps its deadline of 10 s, seen " + tookMillis + " ms");
      expect(!left.isClean(), "and reports what it could not settle, seen " + left);
      expect(
          local.untilNanos(() -> !ready(staying).isReady(), Duration.ofSeconds(20)) >= 0,
          "an instance without a lease is not ready, seen " + ready(staying));
      rig.pass(Math.max(0, FROZEN_MILLIS - (System.nanoTime() - frozenAt) / 1_000_000));
      for (int member = 0; member < MEMBERS; member++) {
        rig.cluster().process(member).thaw();
      }
      expect(rig.awaitWhole(MEMBERS), "the cluster is whole again");
      expect(
          local.untilNanos(() -> local.serve(staying, account, 1), Duration.ofSeconds(60)) >= 0,
          "requests are served again");
      expect(
          local.untilNanos(() -> ready(staying).isReady(), PATIENCE) >= 0,
          "and it is ready again, seen " + ready(staying));
      final ShutdownReport stayed = staying.shutdown(Duration.ofSeconds(20));
      expect(
          stayed.lostEvents() == 0
              && stayed.unresolvedEvents() == 0
              && stayed.uncertainCommands() == 0,
          "what was acknowledged is not lost, seen " + stayed);
      facts.put("standstill_forfeited_units", stayed.forfeitedUnits());
    }
    rig.pass(FleetInstance.TTL.toMillis() + 2_000);
    // An instance that stayed behind may have held leases of any of them.
    operator.reclaim(accounts);
  }

  private static Readiness ready(InstanceRuntime instance) {
    return instance.readiness(new Tracked.All());
  }
}
