package io.tollgrid.ledger.policy;

import java.util.List;

/**
 * Names for how much funding an account has, for those who treat a well-funded one differently
 * (R51).
 *
 * <p>A tier follows from what is funded now and from nothing else: not from the latest grant, and
 * not from what the tier was before. Whoever does not know the funding takes the floor, which is a
 * rung like any other. Immutable.
 *
 * @param rungs by rising amounts; the first begins at 0
 */
public record TierLadder(List<Rung> rungs) {
  /**
   * One tier.
   *
   * @param fromUnits the least funding it is for, 0 or more
   * @param tier its name
   */
  public record Rung(long fromUnits, String tier) {
    /** Refuses a name that is none, and a negative amount. */
    public Rung {
      PolicyName.require("tier", tier);
      if (fromUnits < 0) {
        throw new IllegalArgumentException(
            "tier " + tier + " begins at " + fromUnits + " units; the least is 0");
      }
    }
  }

  /** Refuses a ladder without a floor, and rungs that do not rise. */
  public TierLadder {
    rungs = List.copyOf(rungs);
    if (rungs.isEmpty() || rungs.get(0).fromUnits() != 0) {
      throw new IllegalArgumentException(
          "a ladder of tiers begins with a rung at 0 units: no amount may match no rung");
    }
    for (int i = 1; i < rungs.size(); i++) {
      if (rungs.get(i).fromUnits() <= rungs.get(i - 1).fromUnits()) {
        throw new IllegalArgumentException(
            "tier "
                + rungs.get(i).tier()
                + " begins at "
                + rungs.get(i).fromUnits()
                + " units, not above the "
                + rungs.get(i - 1).fromUnits()
                + " of the one before");
      }
    }
  }

  /** The tier of so much funding, 0 or more: the highest rung that is not above it. */
  public String tier(final long fundedUnits) {
    if (fundedUnits < 0) {
      throw new IllegalArgumentException("funding is not negative: " + fundedUnits);
    }
    String tier = floor();
    for (final Rung rung : rungs) {
      if (rung.fromUnits() <= fundedUnits) {
        tier = rung.tier();
      }
    }
    return tier;
  }

  /** The tier of whoever's funding is not known. */
  public String floor() {
    return rungs.get(0).tier();
  }
}
