package io.tollgrid.pipelines.sweep;

import java.time.Duration;

/**
 * How a sweep goes about it.
 *
 * @param pageSize leases or accounts read at once
 * @param intervalNanos the pause between two passes, jittered down to half of it
 * @param passNanos after so long a pass ends and the next begins with what is oldest then
 * @param underWay accounts a member has commands under way for
 * @param retriesUnderWay how many of them may be accounts that failed the last time
 * @param firstBackoffNanos the first pause after a failure; each doubles the one before
 * @param longestBackoffNanos the longest pause
 * @param waiting accounts a member keeps the failures of; one beyond is tried at every pass
 * @param lagNanos a sweep further behind than this is alarmed
 */
public record SweepSettings(
    int pageSize,
    long intervalNanos,
    long passNanos,
    int underWay,
    int retriesUnderWay,
    long firstBackoffNanos,
    long longestBackoffNanos,
    int waiting,
    long lagNanos) {
  /** The defaults of the product. */
  public static final SweepSettings DEFAULTS =
      new SweepSettings(
          500,
          Duration.ofSeconds(1).toNanos(),
          Duration.ofMinutes(5).toNanos(),
          64,
          16,
          Duration.ofSeconds(1).toNanos(),
          Duration.ofMinutes(2).toNanos(),
          10_000,
          Duration.ofSeconds(60).toNanos());

  /** Refuses bounds that bound nothing. */
  public SweepSettings {
    if (pageSize < 1
        || intervalNanos < 1
        || passNanos < 1
        || retriesUnderWay < 1
        || underWay <= retriesUnderWay
        || firstBackoffNanos < 1
        || longestBackoffNanos < firstBackoffNanos
        || waiting < 1
        || lagNanos < 1) {
      throw new IllegalArgumentException("a setting of a sweep is out of range");
    }
  }
}
