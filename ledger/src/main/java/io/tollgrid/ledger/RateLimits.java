package io.tollgrid.ledger;

/**
 * The request-count and weighted rates of one account on one instance; zero per second means "no
 * such limit" (R29).
 *
 * @param requestsPerSecond sustained requests per second, 0 or more
 * @param burstRequests requests that may arrive at once, 0 or more; positive if and only if the
 *     rate is
 * @param unitsPerSecond sustained units per second, 0 or more
 * @param burstUnits units that may be quoted at once, 0 or more; positive if and only if the rate
 *     is
 */
public record RateLimits(
    long requestsPerSecond, long burstRequests, long unitsPerSecond, long burstUnits) {
  /** No limit on either dimension. */
  public static final RateLimits NONE = new RateLimits(0, 0, 0, 0);

  /** Refuses a negative number, and a rate without a burst or a burst without a rate. */
  public RateLimits {
    requirePair("requests", requestsPerSecond, burstRequests);
    requirePair("units", unitsPerSecond, burstUnits);
  }

  private static void requirePair(String what, long perSecond, long burst) {
    if (perSecond < 0 || burst < 0 || (perSecond == 0) != (burst == 0)) {
      throw new IllegalArgumentException(
          "a rate of "
              + perSecond
              + " "
              + what
              + "/s cannot have a burst of "
              + burst
              + ": both are 0 or both are positive");
    }
  }
}
