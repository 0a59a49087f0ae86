package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Id128;
import io.tollgrid.verification.faults.check.FenceRaise;
import io.tollgrid.verification.faults.check.PostgresEvidence;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Many leases whose holders are gone are due at once; the job writes them off while a member is
 * killed. Then usage of some of them arrives after all (R12, R19).
 */
final class ReclaimLane {
  static final String NAME = "reclaim";

  private static final int LEASES_EACH = 10;

  /** So many leases on one account need several commands. */
  private static final int CROWD = 600;

  /** One such account for so many leases. */
  private static final int CROWD_ONE_IN = 10_000;

  /**
   * Accounts that may be on their way between the reader and their answers: what the members have
   * under way, and what the edges between them hold.
   */
  static final int WINDOW = 1_000;

  private static final long SPACING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int HOLDERS_AT_ONCE = 64;

  private final int leases;
  private final long seed;
  private final Progress progress;
  private final List<AccountLedger> founded = new ArrayList<>();

  ReclaimLane(int leases, long seed, Progress progress) {
    this.leases = leases;
    this.seed = seed;
    this.progress = progress;
  }

  RunResult run(Path directory) throws SQLException {
    final Duration limit = Duration.ofMinutes(10).plusMillis(leases * 5L);
    try (SweepRig sweeps = SweepRig.prepare(NAME, seed, directory, limit, progress)) {
      final List<Violation> violations = new ArrayList<>();
      if (sweeps.startAll()) {
        found(sweeps);
        try (SweepLedgers holders = sweeps.ledgers("late-holder", HOLDERS_AT_ONCE)) {
          final Set<Integer> orphaned = reclaim(sweeps);
          violations.addAll(judge(sweeps, holders, orphaned));
          violations.addAll(
              new Stragglers(seed, sweeps.clock())
                  .claim(founded, holders, sweeps.evidence(), sweeps.facts()));
        }
        sweeps.rig().cluster().killAll();
        sweeps.noteEmptyPage(PageReads.Page.LEASES);
        sweeps.verify();
      }
      return sweeps.lane().result(sweeps.facts(), violations);
    }
  }

  /** All in one transaction, so that the sweep meets the whole backlog at once. */
  private void found(SweepRig sweeps) throws SQLException {
    final long began = System.nanoTime();
    final Founding founding = new Founding(seed, sweeps.rig().limits());
    final int crowds = Math.max(1, leases / CROWD_ONE_IN);
    final int accounts = crowds + Math.max(1, (leases - crowds * CROWD) / LEASES_EACH);
    final int crowdEvery = accounts / crowds;
    final long first =
        sweeps.clock().nowNanos() - TimeUnit.MINUTES.toNanos(2) - accounts * SPACING_NANOS;
    long written = 0;
    try (Connection connection = sweeps.connect();
        Seeding seeding = new Seeding(connection, sweeps.clock().nowNanos())) {
      for (int i = 0; i < accounts; i++) {
        final boolean crowd = i % crowdEvery == crowdEvery / 2 && i / crowdEvery < crowds;
        final SeededAccount account =
            founding.expired(first + i * SPACING_NANOS, crowd ? CROWD : LEASES_EACH);
        seeding.add(account);
        written += account.ledger().active().size();
        founded.add(account.ledger());
      }
      seeding.flush();
      connection.commit();
    }
    sweeps.facts().put("leases", written);
    sweeps.facts().put("accounts", (long) accounts);
    sweeps.facts().put("founding_millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    sweeps.lane().say(written + " expired leases on " + accounts + " accounts");
    sweeps.analyze();
  }

  /** Waits for the sweep and kills a member in its midst. Returns what that member had owned. */
  private Set<Integer> reclaim(SweepRig sweeps) throws SQLException {
    final String due = "SELECT count(*) FROM lease WHERE state = 0";
    sweeps.lane().expect(sweeps.awaitAtMost(due, leases * 7L / 10, LONGEST), "some are reclaimed");
    final int reader = sweeps.readerOf(NAME);
    sweeps.lane().expect(reader >= 0, "the job reads on one member");
    final int killed = (Math.max(reader, 0) + 1) % SweepRig.MEMBERS;
    final String name = sweeps.rig().cluster().process(killed).name();
    final Set<Integer> orphaned = ownedBy(sweeps, name);
    sweeps.rig().cluster().kill(killed);
    sweeps
        .lane()
        .say("killed " + name + ", which served " + orphaned.size() + " partitions for the reader");
    sweeps.lane().expect(!orphaned.isEmpty(), "the killed member owned ledgers");
    sweeps.lane().expect(sweeps.awaitAtMost(due, 0, LONGEST), "all are reclaimed");
    sweeps.rig().pass(SweepRig.LOOK_MILLIS);
    for (final String result : List.of("due", "served", "nothing-left", "held-back")) {
      sweeps.facts().put("job_" + result, sweeps.rig().cluster().total(Words.swept(NAME, result)));
    }
    return orphaned;
  }

  /** Partitions whose fence a process raised last. */
  private static Set<Integer> ownedBy(SweepRig sweeps, String process) throws SQLException {
    final Map<Integer, String> owners = new HashMap<>();
    try (Connection connection = sweeps.rig().postgres().connect()) {
      for (final FenceRaise raise : new PostgresEvidence(connection).raises()) {
        owners.put(raise.partition(), raise.owner());
      }
    }
    owners.values().removeIf(owner -> !owner.equals(process));
    return owners.keySet();
  }

  private List<Violation> judge(SweepRig sweeps, SweepLedgers holders, Set<Integer> orphaned)
      throws SQLException {
    final List<ReclaimedAccount> accounts =
        sweeps.evidence().reclaimed(founded, account -> isOrphaned(holders, account, orphaned));
    sweeps.lane().expect(accounts.size() == founded.size(), "every account is still there");
    final List<ReclaimedAccount.Reclaim> reclaims =
        accounts.stream().flatMap(account -> account.reclaims().stream()).toList();
    final long first = reclaims.stream().mapToLong(each -> each.recordedAtNanos()).min().orElse(0);
    final long last = reclaims.stream().mapToLong(each -> each.recordedAtNanos()).max().orElse(0);
    final long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(last - first));
    final long written = reclaims.stream().mapToLong(each -> each.leases()).sum();
    sweeps.facts().put("leases_written_off", written);
    sweeps.facts().put("units_lost", reclaims.stream().mapToLong(each -> each.lossUnits()).sum());
    sweeps.facts().put("commands", (long) reclaims.size());
    sweeps
        .facts()
        .put(
            "most_leases_of_a_command",
            reclaims.stream().mapToLong(each -> each.leases()).max().orElse(0));
    sweeps.facts().put("reclaiming_millis", millis);
    sweeps.facts().put("leases_per_second", written * 1_000L / millis);
    sweeps.facts().put("most_overtaken", ReclaimCheck.mostOvertaken(accounts));
    sweeps
        .facts()
        .put(
            "accounts_of_the_killed",
            accounts.stream().filter(ReclaimedAccount::disturbed).count());
    return new ReclaimCheck(sweeps.rig().limits().maxReclaimed(), WINDOW).check(accounts);
  }

  private static boolean isOrphaned(SweepLedgers holders, Id128 account, Set<Integer> orphaned) {
    return orphaned.contains(holders.partitionOf(account));
  }
}
