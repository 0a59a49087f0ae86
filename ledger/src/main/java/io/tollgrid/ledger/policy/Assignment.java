package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;
import java.util.List;
import java.util.Objects;

/**
 * The plan, the accounts and the ceiling of all subjects whose names begin alike; of the
 * assignments that a name begins with, the longest counts.
 *
 * <p>A budget belongs to an account: another plan under the same accounts changes what may be spent
 * next, and never what was (R51).
 *
 * @param prefix up to {@value Subject#MAX_NAME_CHARS} characters; empty for everybody
 * @param generation of this prefix's contents, 1 or more; a newer one replaces an older one
 * @param plan name of their plan
 * @param legs who pays, in the order of {@link PrincipalSnapshot#legs}; 1 to {@value
 *     PrincipalSnapshot#MAX_LEGS}
 * @param concurrencyCeiling of each subject, on one instance; 0 for no ceiling
 */
public record Assignment(
    String prefix,
    long generation,
    String plan,
    List<AssignmentLeg> legs,
    long concurrencyCeiling) {
  /** Refuses a prefix that no name can have, and what no snapshot could say. */
  public Assignment {
    PolicyName.require("plan", plan);
    legs = List.copyOf(legs);
    if (!Subject.isPrefix(prefix)) {
      throw new IllegalArgumentException(
          "a prefix of subjects has up to "
              + Subject.MAX_NAME_CHARS
              + " characters, none of them a control character, not "
              + prefix.length());
    }
    if (generation < 1
        || concurrencyCeiling < 0
        || legs.isEmpty()
        || legs.size() > PrincipalSnapshot.MAX_LEGS) {
      throw new IllegalArgumentException(
          "an assignment of plan "
              + plan
              + " has generation "
              + generation
              + ", a ceiling of "
              + concurrencyCeiling
              + " and "
              + legs.size()
              + " legs: the first generation is 1, a ceiling is 0 or more, and 1 to "
              + PrincipalSnapshot.MAX_LEGS
              + " accounts pay");
    }
  }

  /** The first generation, without a ceiling. */
  public static Assignment of(final String prefix, final String plan, final AssignmentLeg... legs) {
    return new Assignment(prefix, 1, plan, List.of(legs), 0);
  }

  /** The same contents under another generation. */
  public Assignment withGeneration(final long next) {
    return new Assignment(prefix, next, plan, legs, concurrencyCeiling);
  }

  /** The shared accounts among its legs. */
  public List<Id128> sharedAccounts() {
    return legs.stream().map(AssignmentLeg::account).filter(Objects::nonNull).distinct().toList();
  }

  /** The snapshot of a principal under it, as a first generation. */
  public PrincipalSnapshot snapshotOf(final Id128 principal) {
    return new PrincipalSnapshot(
        principal,
        1,
        plan,
        legs.stream().map(leg -> leg.of(principal)).toList(),
        concurrencyCeiling);
  }
}
