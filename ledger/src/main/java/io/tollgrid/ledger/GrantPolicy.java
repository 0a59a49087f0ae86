package io.tollgrid.ledger;

/**
 * How large a holder wants its grants.
 *
 * @param minimumUnits what a grant should hold at least, 1 or more
 * @param targetUnits what the holder expects to spend until its next refill; {@code ≥ minimumUnits}
 * @param shrink the share of the balance one grant may take is {@code 1 / shrink}; 1 or more
 * @param maxGrantUnits what an acquire never exceeds, 1 or more
 */
public record GrantPolicy(long minimumUnits, long targetUnits, long shrink, long maxGrantUnits) {
  /** The default ceiling of one grant: 2^40 units. */
  public static final long DEFAULT_MAX_GRANT_UNITS = 1L << 40;

  /** The default share of the balance one grant may take: a half. */
  public static final long DEFAULT_SHRINK = 2;

  /**
   * Refuses anything outside {@code 0 < minimum ≤ target}, {@code shrink ≥ 1}, {@code maxGrant ≥
   * 1}.
   */
  public GrantPolicy {
    if (minimumUnits < 1 || targetUnits < minimumUnits || shrink < 1 || maxGrantUnits < 1) {
      throw new IllegalArgumentException(
          "a grant policy needs 0 < minimum ≤ target, shrink ≥ 1 and max grant ≥ 1, not minimum "
              + minimumUnits
              + ", target "
              + targetUnits
              + ", shrink "
              + shrink
              + ", max grant "
              + maxGrantUnits);
    }
  }

  /** The policy with the default shrink and ceiling. */
  public static GrantPolicy of(long minimumUnits, long targetUnits) {
    return new GrantPolicy(minimumUnits, targetUnits, DEFAULT_SHRINK, DEFAULT_MAX_GRANT_UNITS);
  }
}
