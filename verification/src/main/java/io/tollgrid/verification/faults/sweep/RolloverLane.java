package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.pipelines.Pipelines;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Many accounts are due at one midnight, and some for days. The job and a second driver race by one
 * cutoff, holders of some accounts acquire meanwhile, and the member that reads is killed (R14).
 */
final class RolloverLane {
  static final String NAME = "rollover";

  private static final String LAZY = "lazy-holder";
  private static final String DRIVER_HEAP = "256m";
  private static final long START_SECONDS = 60;
  private static final long DRIVER_SECONDS = 300;
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** One account in so many has a lease of the period that ends. */
  private static final int LEASED_ONE_IN = 20;

  /** One more account for so many has missed boundaries. */
  private static final int IDLE_ONE_IN = 10;

  /** One account in so many is used while the sweep runs. */
  private static final int LAZY_ONE_IN = 50;

  /** For how long after the midnight no account may be due again. */
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(30);

  private final int size;
  private final long seed;
  private final Progress progress;
  private final List<AccountLedger> founded = new ArrayList<>();

  RolloverLane(int size, long seed, Progress progress) {
    this.size = size;
    this.seed = seed;
    this.progress = progress;
  }

  /** Long enough to found so many accounts before their midnight. */
  private long leadNanos() {
    return TimeUnit.SECONDS.toNanos(30L + size / 2_000);
  }

  RunResult run(Path directory) throws SQLException {
    final Duration limit = Duration.ofMinutes(10).plusMillis(size * 10L);
    try (SweepRig sweeps = SweepRig.prepare(NAME, seed, directory, limit, progress)) {
      final List<Violation> violations = new ArrayList<>();
      if (sweeps.startAll()) {
        try {
          cross(sweeps, directory);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          sweeps.lane().expect(false, "it was not interrupted");
        }
        sweeps.rig().cluster().killAll();
        sweeps.noteEmptyPage(PageReads.Page.BOUNDARIES);
        violations.addAll(judge(sweeps));
        sweeps.verify();
      }
      return sweeps.lane().result(sweeps.facts(), violations);
    }
  }

  private void cross(SweepRig sweeps, Path directory) throws SQLException, InterruptedException {
    final long midnightSecond =
        1 + TimeUnit.NANOSECONDS.toSeconds(sweeps.clock().nowNanos() + leadNanos());
    final long midnight = TimeUnit.SECONDS.toNanos(midnightSecond);
    final String due =
        "SELECT count(*) FROM account WHERE schedule_kind IS NOT NULL AND period_end <= "
            + midnight;
    final Founding founding = new Founding(seed, sweeps.rig().limits());
    try (ChildJvm driver = startDriver(sweeps, directory, midnight);
        SweepLedgers holders = sweeps.ledgers(LAZY, 16);
        Connection late = sweeps.connect();
        Seeding idle = new Seeding(late, sweeps.clock().nowNanos())) {
      foundDue(sweeps, founding, midnight);
      foundIdle(founding, idle, midnight);
      sweeps
          .lane()
          .expect(sweeps.clock().nowNanos() < midnight, "all are founded before their midnight");
      driver.await(Words.STATUS, any -> true, START_SECONDS);
      while (sweeps.clock().nowNanos() < midnight) {
        sweeps.rig().pass(10);
      }
      late.commit();
      sweeps.lane().say("midnight: " + founded.size() + " accounts are due");
      acquireFromSome(holders);
      final long all = founded.size();
      sweeps.lane().expect(sweeps.awaitAtMost(due, all * 7 / 10, LONGEST), "some have crossed");
      kill(sweeps);
      sweeps.lane().expect(sweeps.awaitAtMost(due, 0, LONGEST), "all have crossed");
      final Message driven = driver.await(Words.FINISHED, any -> true, DRIVER_SECONDS);
      driven
          .fields()
          .keySet()
          .forEach(what -> sweeps.facts().put("driver_" + what, driven.number(what)));
      sweeps.lane().expect(holders.drained(DRIVER_SECONDS), "every holder was answered in the end");
      giveBackOldLeases(sweeps, holders);
    }
    for (final String result : List.of("due", "served", "nothing-left", "held-back")) {
      sweeps.facts().put("job_" + result, sweeps.rig().cluster().total(Words.swept(NAME, result)));
    }
  }

  private ChildJvm startDriver(SweepRig sweeps, Path directory, long midnight) {
    final var address = sweeps.rig().postgres().address();
    final List<String> arguments =
        new ArrayList<>(
            List.of(
                sweeps.rig().cluster().name(),
                sweeps.rig().cluster().operatorKeyFile().toString(),
                address.jdbcUrl(),
                address.user(),
                directory.resolve("postgres.password").toString(),
                Long.toString(midnight)));
    arguments.addAll(sweeps.rig().cluster().addresses());
    return ChildJvm.start("driver", SweepDriver.class, arguments, DRIVER_HEAP, directory);
  }

  private void foundDue(SweepRig sweeps, Founding founding, long midnight) throws SQLException {
    final long began = System.nanoTime();
    try (Connection connection = sweeps.connect();
        Seeding seeding = new Seeding(connection, sweeps.clock().nowNanos())) {
      for (int i = 0; i < size; i++) {
        final SeededAccount account = founding.dueAt(midnight);
        if (i % LEASED_ONE_IN == 0) {
          founding.leased(account, sweeps.clock().nowNanos());
        }
        if (account.ledger().period().endNanos() != midnight) {
          throw new IllegalStateException(account.ledger() + " is not due at midnight");
        }
        seeding.add(account);
        founded.add(account.ledger());
      }
      seeding.flush();
      connection.commit();
    }
    sweeps.analyze();
    sweeps.facts().put("founding_millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    sweeps.facts().put("due_at_one_midnight", (long) size);
  }

  /** Those that have been due for long; the caller commits them at midnight. */
  private void foundIdle(Founding founding, Seeding seeding, long midnight) throws SQLException {
    for (int i = 0; i < size / IDLE_ONE_IN; i++) {
      add(founding.idleBefore(midnight), seeding);
    }
    final Boundaries boundaries = new Boundaries();
    for (int calendar = 0; calendar < Founding.calendars(); calendar++) {
      final SeededAccount account = founding.idleSince(calendar);
      final long next =
          boundaries.after(Objects.requireNonNull(account.ledger().period().schedule()), midnight);
      if (next - midnight > QUIET_NANOS) {
        add(account, seeding);
      }
    }
    seeding.flush();
  }

  private void add(SeededAccount account, Seeding seeding) throws SQLException {
    seeding.add(account);
    founded.add(account.ledger());
  }

  /** Whoever is asked for something crosses first. */
  private void acquireFromSome(SweepLedgers holders) {
    final SplittableRandom random = new SplittableRandom(seed ^ 0x1A2);
    final List<AccountLedger> some = new ArrayList<>(founded);
    some.removeIf(account -> random.nextInt(LAZY_ONE_IN) != 0);
    some.sort(Comparator.comparing(AccountLedger::id).reversed());
    for (final AccountLedger account : some) {
      final Id128 lease = new Id128(random.nextLong(), random.nextLong());
      final var unused =
          holders.ask(
              account.id(),
              new LedgerCommand.Acquire(
                  lease, lease, GrantPolicy.of(1, 5), Duration.ofMinutes(10).toNanos(), 0));
    }
  }

  private static void kill(SweepRig sweeps) {
    final int reader = sweeps.readerOf(NAME);
    if (sweeps.lane().expect(reader >= 0, "the job reads on one member")) {
      sweeps.lane().say("kills " + sweeps.rig().cluster().process(reader).name() + ", the reader");
      sweeps.rig().cluster().kill(reader);
    }
  }

  /** Of a lease of the old period the allowance half expires and the top-up half comes back. */
  private void giveBackOldLeases(SweepRig sweeps, SweepLedgers holders) {
    final List<AccountLedger> leased =
        founded.stream().filter(account -> !account.active().isEmpty()).toList();
    final List<Outcome> answers =
        holders.askEach(
            leased,
            AccountLedger::id,
            account -> {
              final Lease lease = account.active().get(0);
              return new LedgerCommand.Release(lease.id(), lease.fence(), 1, lease.remaining());
            });
    long wrong = 0;
    for (int i = 0; i < leased.size(); i++) {
      final Lease lease = leased.get(i).active().get(0);
      final @Nullable LeaseStep receipt =
          answers.get(i) instanceof Outcome.Stepped stepped ? stepped.receipt() : null;
      if (receipt == null
          || receipt.restoredUnits() != lease.grantedTopUp()
          || receipt.expiredUnits() != lease.grantedAllowance()
          || receipt.lossUnits() != 0) {
        wrong++;
        sweeps.lane().say("lease " + lease + " ended with " + answers.get(i));
      }
    }
    sweeps.facts().put("leases_of_the_old_period", (long) leased.size());
    sweeps
        .lane()
        .expect(
            wrong == 0 && !leased.isEmpty(),
            "of each of "
                + leased.size()
                + " leases of the old period the allowance expires and the top-up comes back");
  }

  private List<Violation> judge(SweepRig sweeps) throws SQLException {
    final List<CrossedAccount> accounts = sweeps.evidence().crossed(founded);
    final RolloverCheck check = new RolloverCheck();
    final List<Violation> violations = new ArrayList<>();
    accounts.forEach(account -> violations.addAll(check.check(account)));
    final List<CrossedAccount.Crossing> crossings =
        accounts.stream().flatMap(account -> account.crossings().stream()).toList();
    sweeps.facts().put("accounts", (long) accounts.size());
    sweeps.facts().put("crossings", (long) crossings.size());
    sweeps.lane().expect(accounts.size() == founded.size(), "every account is still there");
    for (final String actor : List.of(Pipelines.ACTOR, SweepDriver.ACTOR, LAZY)) {
      final long by = crossings.stream().filter(each -> each.actor().equals(actor)).count();
      sweeps.facts().put("crossed_by_" + actor, by);
      sweeps.lane().expect(by > 0, by + " crossed by " + actor);
    }
    final long first = crossings.stream().mapToLong(each -> each.recordedAtNanos()).min().orElse(0);
    final long last = crossings.stream().mapToLong(each -> each.recordedAtNanos()).max().orElse(0);
    final long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(last - first));
    sweeps.facts().put("crossing_millis", millis);
    sweeps.facts().put("accounts_per_second", crossings.size() * 1_000L / millis);
    sweeps
        .lane()
        .expect(
            sweeps.facts().getOrDefault("driver_" + SweepDriver.SOMEBODY_WAS_FIRST, 0L) > 0
                && sweeps.facts().getOrDefault("job_nothing-left", 0L) > 0,
            "each driver met accounts where somebody had been first");
    return violations;
  }
}
