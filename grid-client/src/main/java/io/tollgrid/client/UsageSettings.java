package io.tollgrid.client;

import io.tollgrid.ledger.LedgerCommand;
import java.time.Duration;

/**
 * How an instance ships its usage. Times are nanoseconds.
 *
 * @param lingerNanos how long an event waits for others to share its batch
 * @param batchEvents how many events share a batch at most
 * @param credits events that may be in the inbox without an answer at once
 * @param lanes lanes of the usage queue
 * @param slotsPerLane usage slots per lane
 */
public record UsageSettings(
    long lingerNanos, int batchEvents, int credits, int lanes, int slotsPerLane) {
  private static final int MOST_MORE_LINGERS = 100;

  /** The defaults of the product: a queue of 65,536 slots. */
  public static final UsageSettings DEFAULTS =
      new UsageSettings(
          Duration.ofMillis(5).toNanos(), LedgerCommand.RecordUsage.MAX_EVENTS, 65_536, 4, 16_384);

  /** For usage that comes as fast as it is taken: little in the inbox, much gathered before it. */
  public static final UsageSettings BULK =
      new UsageSettings(DEFAULTS.lingerNanos, DEFAULTS.batchEvents, 16_384, 1, 262_144);

  /** Refuses settings under which no usage could be shipped, naming the first of them (R42). */
  public UsageSettings {
    final Setting usage = new Setting("usage");
    usage.require(lingerNanos >= 0, "linger", "not be negative");
    usage.require(
        batchEvents >= 1 && batchEvents <= LedgerCommand.RecordUsage.MAX_EVENTS,
        "batchEvents",
        "lie between 1 and " + LedgerCommand.RecordUsage.MAX_EVENTS);
    usage.require(credits >= batchEvents, "credits", "be no less than a batch");
    usage.require(lanes >= 1, "lanes", "be 1 or more");
    usage.require(slotsPerLane >= 1, "slotsPerLane", "be 1 or more");
  }

  /**
   * How long a batch that is not full waits for more, nanoseconds: longer the more there is without
   * an answer, for then it is not this batch that an answer waits for. Otherwise events that are
   * let in one by one, as answers come, would each be a batch.
   *
   * @param open events without an answer
   */
  long lingerNanos(final int open) {
    return lingerNanos * (1 + Math.min(open / batchEvents, MOST_MORE_LINGERS));
  }

  /** Events that may be without an answer at once, wherever they are. */
  public long slots() {
    return (long) lanes * slotsPerLane;
  }

  /** The same with another queue. */
  public UsageSettings queue(final int howManyLanes, final int slotsOfEach) {
    return new UsageSettings(lingerNanos, batchEvents, credits, howManyLanes, slotsOfEach);
  }
}
