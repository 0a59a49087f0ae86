package io.tollgrid.grid;

import java.time.Duration;

/**
 * How patient a ledger client is.
 *
 * @param actor whom the journal names
 * @param notAfterNanos how long from its submission a command may act
 * @param settleNanos how much longer the client keeps asking whether a command with a failed
 *     attempt took effect
 * @param maxSkewNanos by how much clocks may differ; the same on all members (R57)
 * @param firstBackoffNanos the first pause before a retry
 * @param maxBackoffNanos the longest pause before a retry
 * @param maxQueuedPerAccount commands of one account that may wait behind the running one
 */
public record LedgerClientSettings(
    String actor,
    long notAfterNanos,
    long settleNanos,
    long maxSkewNanos,
    long firstBackoffNanos,
    long maxBackoffNanos,
    int maxQueuedPerAccount) {

  /** Refuses pauses that are none and queues that hold nothing. */
  public LedgerClientSettings {
    if (notAfterNanos < 1
        || settleNanos < 0
        || maxSkewNanos < 0
        || firstBackoffNanos < 1
        || maxBackoffNanos < firstBackoffNanos
        || maxQueuedPerAccount < 1) {
      throw new IllegalArgumentException("a ledger client setting is out of range");
    }
  }

  /** The defaults: 10 s to act, 20 s more to find out, 2 ms to 500 ms between attempts. */
  public static LedgerClientSettings defaults(String actor) {
    return new LedgerClientSettings(
        actor,
        Duration.ofSeconds(10).toNanos(),
        Duration.ofSeconds(20).toNanos(),
        Duration.ofMillis(500).toNanos(),
        Duration.ofMillis(2).toNanos(),
        Duration.ofMillis(500).toNanos(),
        256);
  }

  /** The same where commands may act for another time, and clocks differ by another. */
  public LedgerClientSettings with(Duration notAfter, Duration maxSkew) {
    return new LedgerClientSettings(
        actor,
        notAfter.toNanos(),
        settleNanos,
        maxSkew.toNanos(),
        firstBackoffNanos,
        maxBackoffNanos,
        maxQueuedPerAccount);
  }
}
