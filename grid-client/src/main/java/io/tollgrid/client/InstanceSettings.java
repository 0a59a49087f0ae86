package io.tollgrid.client;

import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.LedgerCommand;
import java.time.Duration;

/**
 * How an instance keeps its leases and ships its usage. Times are nanoseconds.
 *
 * @param ttlNanos how long a lease lasts
 * @param marginNanos how long before a lease's end debits and starts stop; clock skew, a coarse
 *     tick and the time of a flush must fit into it (R57)
 * @param targetNanos how much of the observed burn a grant should last for
 * @param minimumQuotes how many of the largest quotes seen a grant should hold at least
 * @param shrink the share of a balance one grant may take is {@code 1 / shrink}
 * @param lowWaterShare a lease that falls below {@code 1 / lowWaterShare} of its grant is topped up
 * @param idleNanos how long a lease must have been unused before its free units answer a recall
 * @param recallPollNanos how often a holder looks for a recall while it holds units others may need
 * @param firstBackoffNanos the first pause before a demand that was not met is asked again
 * @param maxBackoffNanos the longest such pause while units may come back
 * @param backstopNanos the longest pause before anything unmet or failed is asked again
 * @param holdNanos how long an instance keeps units that are too few for its own demand before it
 *     gives them back and lets others try
 * @param notAfterNanos how long a command may act
 * @param lingerNanos how long an event waits for others to share its batch
 * @param batchEvents how many events share a batch at most
 * @param usageLanes lanes of the usage queue
 * @param slotsPerLane usage slots per lane
 * @param shutdownNanos the deadline of a shutdown that names none
 */
public record InstanceSettings(
    long ttlNanos,
    long marginNanos,
    long targetNanos,
    long minimumQuotes,
    long shrink,
    long lowWaterShare,
    long idleNanos,
    long recallPollNanos,
    long firstBackoffNanos,
    long maxBackoffNanos,
    long backstopNanos,
    long holdNanos,
    long notAfterNanos,
    long lingerNanos,
    int batchEvents,
    int usageLanes,
    int slotsPerLane,
    long shutdownNanos) {

  /** The defaults of the product. */
  public static final InstanceSettings DEFAULTS =
      new InstanceSettings(
          Duration.ofSeconds(60).toNanos(),
          Duration.ofSeconds(5).toNanos(),
          Duration.ofSeconds(5).toNanos(),
          16,
          GrantPolicy.DEFAULT_SHRINK,
          4,
          Duration.ofMillis(20).toNanos(),
          Duration.ofMillis(50).toNanos(),
          Duration.ofMillis(10).toNanos(),
          Duration.ofMillis(250).toNanos(),
          Duration.ofSeconds(1).toNanos(),
          Duration.ofMillis(300).toNanos(),
          Duration.ofSeconds(10).toNanos(),
          Duration.ofMillis(5).toNanos(),
          LedgerCommand.RecordUsage.MAX_EVENTS,
          4,
          16_384,
          Duration.ofSeconds(20).toNanos());

  /** Refuses settings under which an instance could not work, naming the first of them (R42). */
  public InstanceSettings {
    require(ttlNanos >= 1, "ttl", "is positive");
    require(marginNanos >= 0 && marginNanos < ttlNanos, "margin", "lies between 0 and the ttl");
    require(targetNanos >= 1, "target", "is positive");
    require(minimumQuotes >= 1, "minimum quotes", "is 1 or more");
    require(shrink >= 1, "shrink", "is 1 or more");
    require(lowWaterShare >= 1, "low-water share", "is 1 or more");
    require(idleNanos >= 0, "idle", "is not negative");
    require(recallPollNanos >= 1, "recall poll", "is positive");
    require(firstBackoffNanos >= 1, "first backoff", "is positive");
    require(maxBackoffNanos >= firstBackoffNanos, "max backoff", "is at least the first backoff");
    require(backstopNanos >= maxBackoffNanos, "backstop", "is at least the max backoff");
    require(holdNanos >= 1, "hold", "is positive");
    require(notAfterNanos >= 1, "not-after", "is positive");
    require(lingerNanos >= 0, "linger", "is not negative");
    require(
        batchEvents >= 1 && batchEvents <= LedgerCommand.RecordUsage.MAX_EVENTS,
        "batch events",
        "lies between 1 and " + LedgerCommand.RecordUsage.MAX_EVENTS);
    require(usageLanes >= 1, "usage lanes", "is 1 or more");
    require(slotsPerLane >= 1, "slots per lane", "is 1 or more");
    require(shutdownNanos >= 0, "shutdown", "is not negative");
  }

  /**
   * The same settings for leases that last {@code ttl} and stop {@code margin} before their end.
   */
  public InstanceSettings withLeases(final Duration ttl, final Duration margin) {
    return new InstanceSettings(
        ttl.toNanos(),
        margin.toNanos(),
        targetNanos,
        minimumQuotes,
        shrink,
        lowWaterShare,
        idleNanos,
        recallPollNanos,
        firstBackoffNanos,
        maxBackoffNanos,
        backstopNanos,
        holdNanos,
        notAfterNanos,
        lingerNanos,
        batchEvents,
        usageLanes,
        slotsPerLane,
        shutdownNanos);
  }

  /** The same settings with grants that hold at least so many of the largest quotes seen. */
  public InstanceSettings withMinimumQuotes(final long quotes) {
    return new InstanceSettings(
        ttlNanos,
        marginNanos,
        targetNanos,
        quotes,
        shrink,
        lowWaterShare,
        idleNanos,
        recallPollNanos,
        firstBackoffNanos,
        maxBackoffNanos,
        backstopNanos,
        holdNanos,
        notAfterNanos,
        lingerNanos,
        batchEvents,
        usageLanes,
        slotsPerLane,
        shutdownNanos);
  }

  /** The same settings with another usage queue. */
  public InstanceSettings withUsageQueue(final int lanes, final int slots) {
    return new InstanceSettings(
        ttlNanos,
        marginNanos,
        targetNanos,
        minimumQuotes,
        shrink,
        lowWaterShare,
        idleNanos,
        recallPollNanos,
        firstBackoffNanos,
        maxBackoffNanos,
        backstopNanos,
        holdNanos,
        notAfterNanos,
        lingerNanos,
        batchEvents,
        lanes,
        slots,
        shutdownNanos);
  }

  private static void require(final boolean holds, final String what, final String needed) {
    if (!holds) {
      throw new IllegalArgumentException(
          "the setting \"" + what + "\" is out of range: it " + needed);
    }
  }
}
