package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;
import java.util.List;

/**
 * The immutable policy of one principal: its plan, the accounts that pay, its own ceiling.
 *
 * <p>It names accounts and never repeats what their own policy says (R18).
 *
 * @param principal whom it is about
 * @param generation 1 or more; a newer one replaces an older one (R37)
 * @param plan name of its plan
 * @param legs who pays: the home account first, shared parents last; 1 to 8 distinct accounts, and
 *     an account named twice is one leg (R8)
 * @param concurrencyCeiling requests of the principal that may run at once on one instance, 0 for
 *     no ceiling
 */
public record PrincipalSnapshot(
    Id128 principal,
    long generation,
    String plan,
    List<SnapshotLeg> legs,
    long concurrencyCeiling) {
  /** Accounts one request can be funded by. */
  public static final int MAX_LEGS = 8;

  /** Refuses a snapshot that nobody pays for, or too many. */
  public PrincipalSnapshot {
    legs = List.copyOf(legs);
    final long accounts = legs.stream().map(SnapshotLeg::account).distinct().count();
    if (generation < 1 || concurrencyCeiling < 0 || accounts < 1 || accounts > MAX_LEGS) {
      throw new IllegalArgumentException(
          "the snapshot of principal "
              + principal
              + " has generation "
              + generation
              + ", a ceiling of "
              + concurrencyCeiling
              + " and "
              + accounts
              + " accounts: the first generation is 1, a ceiling is 0 or more, and 1 to "
              + MAX_LEGS
              + " accounts pay");
    }
  }

  /** The same contents under another generation. */
  public PrincipalSnapshot withGeneration(final long next) {
    return new PrincipalSnapshot(principal, next, plan, legs, concurrencyCeiling);
  }

  /** The first generation, with one account that pays for everything, and no ceiling. */
  public static PrincipalSnapshot of(
      final Id128 principal, final String plan, final Id128 account) {
    return new PrincipalSnapshot(principal, 1, plan, List.of(SnapshotLeg.of(account)), 0);
  }
}
