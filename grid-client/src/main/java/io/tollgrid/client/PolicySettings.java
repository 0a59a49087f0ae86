package io.tollgrid.client;

import io.tollgrid.admission.snapshot.SnapshotMapLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an instance keeps its policies current. Times are nanoseconds.
 *
 * @param tracked whom it must be able to admit to be ready (R39)
 * @param credentialKey under which secrets are digested; null for an instance that proves none
 * @param refreshNanos within which time everything it knows is read again, word of it or not
 * @param staleAfterNanos how long a snapshot that could not be read again is good
 * @param retireAfterNanos how long the lease of an account that no snapshot names any more lingers
 * @param firstBackoffNanos the first pause after a read that failed
 * @param maxBackoffNanos the longest such pause
 * @param limits how much is remembered of principals without a snapshot
 */
public record PolicySettings(
    Tracked tracked,
    @Nullable CredentialKey credentialKey,
    long refreshNanos,
    long staleAfterNanos,
    long retireAfterNanos,
    long firstBackoffNanos,
    long maxBackoffNanos,
    SnapshotMapLimits limits) {

  /** The defaults of the product. */
  public static final PolicySettings DEFAULTS =
      new PolicySettings(
          new Tracked.All(),
          null,
          Duration.ofSeconds(30).toNanos(),
          Duration.ofMinutes(5).toNanos(),
          Duration.ofSeconds(60).toNanos(),
          Duration.ofMillis(50).toNanos(),
          Duration.ofSeconds(5).toNanos(),
          SnapshotMapLimits.DEFAULT);

  /** Refuses settings under which nothing could stay current, naming the first of them (R42). */
  public PolicySettings {
    final Setting policies = new Setting("policies");
    policies.require(refreshNanos >= 1, "refresh", "be positive");
    policies.require(
        staleAfterNanos >= 2 * refreshNanos,
        "staleAfter",
        "be at least twice the refresh interval, or every hiccup would deny requests");
    policies.require(retireAfterNanos >= 0, "retireAfter", "not be negative");
    policies.require(firstBackoffNanos >= 1, "firstBackoff", "be positive");
    policies.require(
        maxBackoffNanos >= firstBackoffNanos && maxBackoffNanos <= refreshNanos,
        "maxBackoff",
        "lie between the first backoff and the refresh interval");
  }

  /** The same for other principals. */
  public PolicySettings tracking(final Tracked whom) {
    return new PolicySettings(
        whom,
        credentialKey,
        refreshNanos,
        staleAfterNanos,
        retireAfterNanos,
        firstBackoffNanos,
        maxBackoffNanos,
        limits);
  }

  /** The same for an instance that proves secrets under this key. */
  public PolicySettings proving(final CredentialKey key) {
    return new PolicySettings(
        tracked,
        key,
        refreshNanos,
        staleAfterNanos,
        retireAfterNanos,
        firstBackoffNanos,
        maxBackoffNanos,
        limits);
  }

  /** The same with another refresh interval. */
  public PolicySettings refreshedEvery(final Duration interval) {
    return new PolicySettings(
        tracked,
        credentialKey,
        interval.toNanos(),
        Math.max(staleAfterNanos, 2 * interval.toNanos()),
        retireAfterNanos,
        firstBackoffNanos,
        Math.min(maxBackoffNanos, interval.toNanos()),
        limits);
  }
}
