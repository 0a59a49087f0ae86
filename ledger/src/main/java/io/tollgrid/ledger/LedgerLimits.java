package io.tollgrid.ledger;

import java.time.Duration;

/**
 * The bounds a ledger keeps, the same on every member of a cluster.
 *
 * @param maxTtlNanos the longest life a lease may ask for
 * @param graceNanos how long after a lease's expiry the ledger waits before it reclaims
 * @param maxActiveLeases active leases of one account
 * @param settledKept ended leases kept in the entry to answer retries; memory only
 * @param lossKept loss leases kept in the entry
 * @param stragglerHorizonNanos how long a loss lease stays in the entry
 * @param requestIdHorizonNanos how long request ids are remembered
 * @param requestIdAheadNanos how far in the future a request id may lie
 * @param maxReclaimed leases one reclaim takes
 * @param recallNanos how long a recall is worth honouring
 */
public record LedgerLimits(
    long maxTtlNanos,
    long graceNanos,
    int maxActiveLeases,
    int settledKept,
    int lossKept,
    long stragglerHorizonNanos,
    long requestIdHorizonNanos,
    long requestIdAheadNanos,
    int maxReclaimed,
    long recallNanos) {
  /** The defaults of the product. */
  public static final LedgerLimits DEFAULTS =
      new LedgerLimits(
          Duration.ofMinutes(10).toNanos(),
          Duration.ofSeconds(15).toNanos(),
          4_096,
          16,
          64,
          Duration.ofDays(3).toNanos(),
          Duration.ofDays(400).toNanos(),
          Duration.ofDays(1).toNanos(),
          256,
          Duration.ofSeconds(5).toNanos());

  /** Refuses bounds that bound nothing. */
  public LedgerLimits {
    if (maxTtlNanos < 1
        || graceNanos < 0
        || maxActiveLeases < 1
        || settledKept < 0
        || lossKept < 0
        || stragglerHorizonNanos < 0
        || requestIdHorizonNanos < 1
        || requestIdAheadNanos < 0
        || maxReclaimed < 1
        || recallNanos < 1) {
      throw new IllegalArgumentException("a ledger limit is out of range");
    }
  }
}
