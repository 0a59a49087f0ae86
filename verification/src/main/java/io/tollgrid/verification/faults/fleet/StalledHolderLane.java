package io.tollgrid.verification.faults.fleet;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.verification.faults.check.AccountEvidence;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.StoredAccount;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.history.Operation;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.run.Lane;
import io.tollgrid.verification.faults.run.Progress;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A holder stands still past the grace of its leases with work in flight, and goes on once the job
 * has written them off: its usage turns loss into billed units and no more, it can release nothing,
 * and no unit comes back twice (R12).
 */
public final class StalledHolderLane {
  /** Its name. */
  public static final String NAME = "stalled-holder";

  private static final int MEMBERS = 3;
  private static final int REQUESTS = 16;
  private static final long QUOTE = 7;
  private static final long UNITS = 1_000;
  private static final String HEAP = "256m";
  private static final long START_SECONDS = 90;
  private static final long RECLAIM_SECONDS = 60;
  private static final long LOOK_MILLIS = 250;
  private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(40);
  private static final Duration LIMIT = Duration.ofMinutes(8);

  /**
   * A lease that was written off under its holder.
   *
   * @param account whose
   * @param lease as it was just after that
   */
  record Lost(Id128 account, Lease lease) {}

  private final long seed;
  private final Progress progress;

  /** A lane whose accounts are drawn from a seed. */
  public StalledHolderLane(long seed, Progress progress) {
    this.seed = seed;
    this.progress = progress;
  }

  /** Runs it. */
  public RunResult run(Path directory) throws SQLException {
    try (Rig rig = Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 0, directory, LIMIT, progress)) {
      final Lane lane = new Lane(NAME, rig, progress);
      final Map<String, Long> facts = new TreeMap<>();
      rig.startAll();
      if (!lane.expect(rig.awaitWhole(MEMBERS), MEMBERS + " members are ready")) {
        return lane.result(facts, List.of());
      }
      final List<Id128> accounts = FleetPopulation.drawn(seed ^ 0x5A11, REQUESTS);
      final List<Lost> lost;
      try (FleetOperator operator = FleetOperator.of(rig)) {
        operator.found(accounts, UNITS);
        for (final Id128 account : accounts) {
          operator.assign(FleetPopulation.firstPrincipalOf(account), account);
        }
        lost = stall(rig, lane, directory, accounts, facts);
        release(lane, operator, lost, facts);
      }
      rig.cluster().killAll();
      final FleetEvidence evidence = rig.evidence();
      final List<Violation> violations = new ArrayList<>(rig.check(VISIBLE_WITHIN).check(evidence));
      violations.addAll(judge(evidence, lost, facts));
      FleetTotals.of(evidence).countInto(facts);
      return lane.result(facts, violations);
    }
  }

  /** Returns the leases that were written off. */
  private static List<Lost> stall(
      Rig rig, Lane lane, Path directory, List<Id128> accounts, Map<String, Long> facts)
      throws SQLException {
    final List<String> arguments =
        List.of(
            rig.cluster().name(),
            rig.newHistory().toString(),
            Long.toString(QUOTE),
            String.join(",", rig.cluster().addresses()),
            accounts.stream()
                .map(account -> FleetPopulation.firstPrincipalOf(account).toHex())
                .collect(Collectors.joining(",")));
    try (ChildJvm holder =
        ChildJvm.start("holder", StalledHolder.class, arguments, HEAP, directory)) {
      holder.await(Words.STATUS, any -> true, START_SECONDS);
      holder.freeze();
      FleetEvidence evidence = rig.evidence();
      for (long waited = 0;
          FleetTotals.of(evidence).outstanding() > 0 && waited < RECLAIM_SECONDS * 1_000;
          waited += LOOK_MILLIS) {
        rig.pass(LOOK_MILLIS);
        evidence = rig.evidence();
      }
      // Read again: the leases are read before the numbers that say that nothing is outstanding.
      final List<Lost> lost = lost(rig.evidence());
      lane.expect(
          accounts.stream()
              .allMatch(each -> lost.stream().anyMatch(one -> one.account().equals(each))),
          "the job wrote off what the holder held of " + accounts.size() + " accounts");
      holder.thaw();
      holder.tell(Message.of(Words.FINISH));
      final Message left = holder.await(Words.FINISHED, any -> true, START_SECONDS);
      left.fields().keySet().forEach(what -> facts.put(what, left.number(what)));
      lane.expect(
          left.number("lost-events") == 0 && left.number("unresolved-events") == 0,
          "the usage of all work in flight was recorded");
      return lost;
    }
  }

  private static List<Lost> lost(FleetEvidence evidence) {
    final List<Lost> lost = new ArrayList<>();
    for (final AccountEvidence account : evidence.accounts()) {
      leases(account).stream()
          .filter(lease -> lease.state() == LeaseState.LOSS)
          .forEach(lease -> lost.add(new Lost(account.account(), lease)));
    }
    return lost;
  }

  private static List<Lease> leases(AccountEvidence account) {
    final StoredAccount stored = account.stored();
    return stored == null
        ? List.of()
        : stored.rows().values().stream()
            .filter(StoredRow.LeaseRow.class::isInstance)
            .map(row -> ((StoredRow.LeaseRow) row).lease())
            .toList();
  }

  /** The holder's capability, its next step, and all that it held: what it would have sent. */
  private static void release(
      Lane lane, FleetOperator operator, List<Lost> lost, Map<String, Long> facts) {
    long refused = 0;
    for (final Lost each : lost) {
      final Lease lease = each.lease();
      final LeaseStep last = lease.lastStep();
      final Outcome answer =
          operator.ask(
              each.account(),
              new LedgerCommand.Release(
                  lease.id(), lease.fence(), last == null ? 1 : last.number() + 1, lease.loss()));
      if (answer instanceof Outcome.Refused no && no.reason() == Refusal.LEASE_ENDED) {
        refused++;
      } else {
        lane.say("a release of " + lease + " was answered with " + answer);
      }
    }
    facts.put("releases_refused", refused);
    lane.expect(
        refused == lost.size() && refused > 0,
        refused + " of " + lost.size() + " releases after the loss are refused");
  }

  /** Judges what became of leases that were written off under their holder. */
  static List<Violation> judge(FleetEvidence evidence, List<Lost> lost, Map<String, Long> facts) {
    final List<Violation> violations = new ArrayList<>();
    final Map<Id128, AccountEvidence> accounts =
        evidence.accounts().stream()
            .collect(Collectors.toMap(AccountEvidence::account, account -> account));
    final Map<Id128, Long> billed = new HashMap<>();
    for (final Lost each : lost) {
      final Lease before = each.lease();
      final AccountEvidence account = Objects.requireNonNull(accounts.get(each.account()));
      for (final Lease after : leases(account)) {
        if (after.id().equals(before.id())) {
          billed.merge(each.account(), after.billed() - before.billed(), Math::addExact);
          violations.addAll(check(each, after));
        }
      }
      account.operations().stream()
          .filter(asked -> stepped(asked, before))
          .forEach(
              asked ->
                  violations.add(
                      new Violation(
                          Violation.Kind.RECLAIMED_WRONGLY,
                          each.account(),
                          asked.toString(),
                          "no step on a lease that was written off",
                          String.valueOf(asked.answered()))));
    }
    billed.forEach(
        (account, units) -> {
          if (units < QUOTE) {
            violations.add(
                new Violation(
                    Violation.Kind.STRAGGLER_WRONG,
                    account,
                    null,
                    "at least the " + QUOTE + " units that were in flight billed",
                    Long.toString(units)));
          }
        });
    facts.put("lost_units", lost.stream().mapToLong(each -> each.lease().loss()).sum());
    facts.put("billed_of_them", billed.values().stream().mapToLong(Long::longValue).sum());
    return violations;
  }

  /** What happened to one lease since it was written off. */
  static List<Violation> check(Lost lost, Lease after) {
    final List<Violation> violations = new ArrayList<>();
    final Lease before = lost.lease();
    final long billed = after.billed() - before.billed();
    if (billed < 0 || billed > before.loss() || after.loss() != before.loss() - billed) {
      violations.add(
          new Violation(
              Violation.Kind.STRAGGLER_WRONG,
              lost.account(),
              "usage of lease " + before.id(),
              "at most " + before.loss() + " units billed, the rest lost",
              billed + " billed, " + after.loss() + " lost"));
    }
    if (after.returned() != before.returned()) {
      violations.add(
          new Violation(
              Violation.Kind.RECLAIMED_WRONGLY,
              lost.account(),
              null,
              before.returned() + " units returned of lease " + before.id(),
              Long.toString(after.returned())));
    }
    return violations;
  }

  private static boolean stepped(Operation asked, Lease lost) {
    final Operation.Answered answered = asked.answered();
    return answered != null
        && answered.outcome() instanceof Outcome.Stepped
        && answered.ledgerTimeNanos() > lost.endedAtNanos()
        && asked.request().command() instanceof LedgerCommand.LeaseStepCommand step
        && step.leaseId().equals(lost.id());
  }
}
