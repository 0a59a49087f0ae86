package io.tollgrid.admission.snapshot;

import java.time.Duration;

/**
 * How much a snapshot map remembers, and how long it believes a negative answer (R38).
 *
 * @param unknownTtlNanos how long "unknown" is believed, positive
 * @param revokedTtlNanos how long "revoked" is believed, positive
 * @param maxNegatives negative answers kept, 1 or more; the earliest to end go first
 * @param maxForgotten watermarks kept of principals that were forgotten, 0 or more
 */
public record SnapshotMapLimits(
    long unknownTtlNanos, long revokedTtlNanos, int maxNegatives, int maxForgotten) {
  /** 5 s for unknown, 60 s for revoked, 65,536 of each kind. */
  public static final SnapshotMapLimits DEFAULT =
      new SnapshotMapLimits(
          Duration.ofSeconds(5).toNanos(), Duration.ofSeconds(60).toNanos(), 65_536, 65_536);

  /** Refuses answers believed for no time, and no room for any. */
  public SnapshotMapLimits {
    if (unknownTtlNanos < 1 || revokedTtlNanos < 1 || maxNegatives < 1 || maxForgotten < 0) {
      throw new IllegalArgumentException(
          "a snapshot map believes negative answers for a positive time and keeps at least one;"
              + " not "
              + unknownTtlNanos
              + " ns, "
              + revokedTtlNanos
              + " ns, "
              + maxNegatives
              + " and "
              + maxForgotten);
    }
  }
}
