package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.LedgerLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Judges a whole run. */
public final class FleetCheck {
  private final LedgerLimits limits;
  private final long visibleWithinNanos;

  /**
   * A check of a fleet whose members kept these limits.
   *
   * @param visibleWithinNanos how long after its commit a transition is seen by every later check;
   *     longer than any pause of PostgreSQL
   */
  public FleetCheck(LedgerLimits limits, long visibleWithinNanos) {
    this.limits = limits;
    this.visibleWithinNanos = visibleWithinNanos;
  }

  /** Every violation, account by account, then of the ownership fences. */
  public List<Violation> check(FleetEvidence evidence) {
    final List<Violation> violations = new ArrayList<>();
    evidence.accounts().forEach(account -> violations.addAll(check(account)));
    violations.addAll(FenceCheck.check(evidence.fences()));
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
    return found;
  }

  private static boolean found(List<Violation> violations, Violation.Kind kind) {
    return violations.stream().anyMatch(violation -> violation.kind() == kind);
  }
}
