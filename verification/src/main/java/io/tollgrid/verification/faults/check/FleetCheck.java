package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** Judges a whole run. */
public final class FleetCheck {
  private final LedgerLimits limits;
  private final long visibleWithinNanos;
  private final ToIntFunction<Id128> partitionOf;

  /**
   * A check of a fleet whose members kept these limits.
   *
   * @param visibleWithinNanos how long after its commit a transition is seen by every later check;
   *     longer than any pause of PostgreSQL
   * @param partitionOf the grid's partition of an account
   */
  public FleetCheck(
      LedgerLimits limits, long visibleWithinNanos, ToIntFunction<Id128> partitionOf) {
    this.limits = limits;
    this.visibleWithinNanos = visibleWithinNanos;
    this.partitionOf = partitionOf;
  }

  /** Every violation, account by account, then of the ownership fences. */
  public List<Violation> check(FleetEvidence evidence) {
    final List<Violation> violations = new ArrayList<>();
    evidence.accounts().forEach(account -> violations.addAll(check(account)));
    violations.addAll(FenceCheck.check(evidence.fences()));
    violations.addAll(WriterCheck.check(evidence.fences(), evidence.writes(), partitionOf));
    return violations;
  }

  /** Every violation on one account. */
  public List<Violation> check(AccountEvidence evidence) {
    return AccountCheck.check(evidence, limits, visibleWithinNanos);
  }

  /**
   * Breaks copies of honest evidence, each in one way, and reports by name whether the break was
   * found: a check that finds nothing in a run proves something only if it would have.
   *
   * @return the planted breaks for which the evidence offered a place; all others are absent
   */
  public SortedMap<String, Boolean> findPlanted(FleetEvidence evidence) {
    final SortedMap<String, Boolean> found = new TreeMap<>();
    for (final PlantedBreak broken : PlantedBreak.values()) {
      for (final AccountEvidence account : evidence.accounts()) {
        final AccountEvidence planted = broken.plant(account);
        if (planted != null && check(account).isEmpty()) {
          found.put(broken.spelling(), found(check(planted), broken.kind()));
          break;
        }
      }
    }
    PlantedBreak.reuseFence(evidence.fences())
        .ifPresent(
            fences -> found.put("ownership-fence-reused", !FenceCheck.check(fences).isEmpty()));
    PlantedBreak.writeAsAnother(evidence.writes(), evidence.fences())
        .ifPresent(
            writes ->
                found.put(
                    "written-by-another",
                    !WriterCheck.check(evidence.fences(), writes, partitionOf).isEmpty()));
    PlantedBreak.forgetOutcome(evidence.writes())
        .ifPresent(
            writes ->
                found.put(
                    "fence-kept",
                    !WriterCheck.check(evidence.fences(), writes, partitionOf).isEmpty()));
    return found;
  }

  private static boolean found(List<Violation> violations, Violation.Kind kind) {
    return violations.stream().anyMatch(violation -> violation.kind() == kind);
  }
}
