package io.tollgrid.client;

import io.tollgrid.ledger.GrantPolicy;

/**
 * How large the next grant of one account should be: enough for some of the largest quotes, and for
 * some seconds of what the account has been burning. Confined to the instance's thread.
 *
 * <p>The sizes are wishes, so they may saturate; what is granted is the ledger's exact decision.
 */
final class GrantSizing {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Samples closer together than this say little about a rate. */
  private static final long SHORTEST_SAMPLE_NANOS = 50_000_000L;

  private long sampledAtNanos;
  private long spentSinceUnits;
  private long burnPerSecond;

  /** Takes note of units that requests debited since the last call, less what they returned. */
  void spent(final long units, final long nowNanos) {
    if (sampledAtNanos == 0) {
      sampledAtNanos = nowNanos;
    }
    spentSinceUnits = saturatedAdd(spentSinceUnits, Math.max(0, units));
    final long elapsed = nowNanos - sampledAtNanos;
    if (elapsed >= SHORTEST_SAMPLE_NANOS) {
      final long rate =
          (long)
              Math.min(
                  (double) Long.MAX_VALUE, (double) spentSinceUnits / elapsed * NANOS_PER_SECOND);
      // Follow a rise at once and a fall by halves: a grant too large comes back, one too small is
      // paid for in refills.
      burnPerSecond = Math.max(rate, burnPerSecond / 2);
      spentSinceUnits = 0;
      sampledAtNanos = nowNanos;
    }
  }

  /**
   * The policy of the next grant.
   *
   * @param largestQuoteUnits the largest quote seen
   * @param demandUnits the quote to be served, 0 for none
   */
  GrantPolicy policy(
      final long largestQuoteUnits, final long demandUnits, final LeaseSettings settings) {
    final long quote = Math.max(1, Math.max(largestQuoteUnits, demandUnits));
    final long minimum = saturatedMultiply(quote, settings.minimumQuotes());
    final double burnt = (double) burnPerSecond * settings.targetNanos() / NANOS_PER_SECOND;
    final long target = Math.max(minimum, (long) Math.min((double) Long.MAX_VALUE, burnt));
    return new GrantPolicy(
        minimum,
        target,
        settings.shrink(),
        Math.max(GrantPolicy.DEFAULT_MAX_GRANT_UNITS, demandUnits));
  }

  private static long saturatedAdd(final long one, final long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private static long saturatedMultiply(final long units, final long times) {
    return units > Long.MAX_VALUE / times ? Long.MAX_VALUE : units * times;
  }
}
