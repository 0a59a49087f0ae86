package io.tollgrid.grid.usage;

import java.time.Duration;

/**
 * How usage is taken to its ledgers. Times are nanoseconds.
 *
 * @param events events that may be with a recorder at once
 * @param underWay commands that may be under way at once, each of one account
 * @param retriesUnderWay how many of them accounts may have that failed the last time
 * @param notAfterNanos how long a command may act
 * @param slowNanos after how long a command holds up its account: what else there is of it goes
 *     back once there is no room
 * @param firstBackoffNanos how long an account waits that failed once
 * @param longestBackoffNanos how long it waits at the longest
 */
public record RecorderSettings(
    int events,
    int underWay,
    int retriesUnderWay,
    long notAfterNanos,
    long slowNanos,
    long firstBackoffNanos,
    long longestBackoffNanos) {
  /** The defaults of the product. */
  public static final RecorderSettings DEFAULTS =
      new RecorderSettings(
          65_536,
          512,
          64,
          Duration.ofSeconds(10).toNanos(),
          Duration.ofSeconds(1).toNanos(),
          Duration.ofMillis(50).toNanos(),
          Duration.ofSeconds(5).toNanos());

  /** Refuses settings under which nothing would be recorded. */
  public RecorderSettings {
    if (events < 1
        || underWay < 1
        || retriesUnderWay < 1
        || retriesUnderWay > underWay
        || notAfterNanos < 1
        || slowNanos < 1
        || firstBackoffNanos < 1
        || longestBackoffNanos < firstBackoffNanos) {
      throw new IllegalArgumentException("a setting of the usage recorder is out of range");
    }
  }
}
