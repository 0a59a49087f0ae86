package io.tollgrid.pipelines.ingest;

import io.tollgrid.grid.usage.RecorderSettings;
import java.time.Duration;

/**
 * How usage is taken from the inbox. Times are nanoseconds.
 *
 * @param scanNanos how often a member looks for batches of which no bell told it
 * @param againNanos after how long a batch with open events is taken again, at first
 * @param longestAgainNanos after how long at the longest
 * @param togetherNanos how long classifications of one batch are collected
 * @param lagNanos the age of an open batch that deserves a person's attention
 * @param recorder how it is recorded
 */
public record IngestSettings(
    long scanNanos,
    long againNanos,
    long longestAgainNanos,
    long togetherNanos,
    long lagNanos,
    RecorderSettings recorder) {
  /** The defaults of the product. */
  public static final IngestSettings DEFAULTS =
      new IngestSettings(
          Duration.ofMillis(500).toNanos(),
          Duration.ofSeconds(5).toNanos(),
          Duration.ofSeconds(10).toNanos(),
          Duration.ofMillis(100).toNanos(),
          Duration.ofSeconds(30).toNanos(),
          RecorderSettings.DEFAULTS);

  /** Refuses times that are none, and pauses that shrink. */
  public IngestSettings {
    if (scanNanos < 1
        || againNanos < 1
        || longestAgainNanos < againNanos
        || togetherNanos < 0
        || lagNanos < 1) {
      throw new IllegalArgumentException("a setting of the ingest is out of range");
    }
  }
}
