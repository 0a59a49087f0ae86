package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.LedgerLimits;
import java.time.Duration;
import java.time.Instant;

/**
 * The size of the simulated world: small enough that every bound of the ledger is hit every few
 * hundred steps.
 */
final class Scale {
  static final int PARTITIONS = 3;
  static final int MEMBERS = 3;
  static final int INSTANCES = 3;
  static final int OPERATORS = 2;
  static final int SWEEPERS = 2;
  static final int ACCOUNTS = 6;

  /** Account slots that exist when a run begins; the others wait for an operator. */
  static final int CREATED_ACCOUNTS = 4;

  /** The account that holds nearly all units a ledger can count, so that sums overflow there. */
  static final int VAST_ACCOUNT = 3;

  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000_000_000L;

  static final long TTL_NANOS = 20 * SECOND;
  static final long MARGIN_NANOS = 2 * SECOND;
  static final long MAX_SKEW_NANOS = 500 * MILLI;
  static final long NOT_AFTER_NANOS = 3 * SECOND;
  static final long OVERAGE_CAP_UNITS = 30;

  /** Shortly before the first midnight, so that the first boundaries come early in a run. */
  static final long START_NANOS = Instant.parse("2026-02-27T23:59:15Z").getEpochSecond() * SECOND;

  static final LedgerLimits LIMITS =
      new LedgerLimits(
          Duration.ofSeconds(60).toNanos(),
          Duration.ofSeconds(5).toNanos(),
          5,
          2,
          2,
          Duration.ofSeconds(40).toNanos(),
          Duration.ofSeconds(90).toNanos(),
          Duration.ofSeconds(2).toNanos(),
          2,
          Duration.ofSeconds(5).toNanos());

  private Scale() {}

  static int partitionOf(int account) {
    return account % PARTITIONS;
  }
}
