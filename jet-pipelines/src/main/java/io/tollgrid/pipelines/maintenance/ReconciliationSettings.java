package io.tollgrid.pipelines.maintenance;

import java.time.Duration;

/**
 * How accounts are compared.
 *
 * @param accounts accounts of one page; fewer after a page that took too long
 * @param checkNanos what one check of a page may take
 * @param longestRestNanos the longest rest after a page
 * @param intervalNanos the pause between two passes
 * @param lateNanos when no pass over all accounts has ended for so long, it is alarmed
 */
public record ReconciliationSettings(
    int accounts, long checkNanos, long longestRestNanos, long intervalNanos, long lateNanos) {
  /** The defaults of the product. */
  public static final ReconciliationSettings DEFAULTS =
      new ReconciliationSettings(
          500,
          Duration.ofSeconds(2).toNanos(),
          Duration.ofSeconds(30).toNanos(),
          Duration.ofMinutes(15).toNanos(),
          Duration.ofHours(24).toNanos());

  /** Refuses bounds that bound nothing. */
  public ReconciliationSettings {
    if (accounts < 1
        || checkNanos < 1
        || longestRestNanos < 0
        || intervalNanos < 0
        || lateNanos < 1) {
      throw new IllegalArgumentException("a setting of reconciliation is out of range");
    }
  }
}
