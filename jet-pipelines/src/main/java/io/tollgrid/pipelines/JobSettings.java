package io.tollgrid.pipelines;

import java.time.Duration;

/**
 * How jobs are looked after.
 *
 * @param firstBackoffNanos the pause before a job that failed at once is submitted again; each
 *     doubles the one before
 * @param longestBackoffNanos the longest; a job that has run as long is as good as new
 * @param othersEveryNanos how often jobs of other builds are looked for
 * @param unseenNanos a job that nobody has looked at for so long is not known to run
 * @param alarmNanos a job that has not run for so long is alarmed
 */
public record JobSettings(
    long firstBackoffNanos,
    long longestBackoffNanos,
    long othersEveryNanos,
    long unseenNanos,
    long alarmNanos) {
  /** The defaults of the product. */
  public static final JobSettings DEFAULTS =
      new JobSettings(
          Duration.ofSeconds(1).toNanos(),
          Duration.ofSeconds(60).toNanos(),
          Duration.ofSeconds(10).toNanos(),
          Duration.ofSeconds(30).toNanos(),
          Duration.ofSeconds(30).toNanos());

  /** Refuses times that are none. */
  public JobSettings {
    if (firstBackoffNanos < 1
        || longestBackoffNanos < firstBackoffNanos
        || othersEveryNanos < 0
        || unseenNanos < 1
        || alarmNanos < 0) {
      throw new IllegalArgumentException("a setting of the jobs is out of range");
    }
  }
}
