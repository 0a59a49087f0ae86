package io.tollgrid.client;

import io.tollgrid.ledger.GrantPolicy;
import java.time.Duration;

/**
 * How an instance keeps its leases. Times are nanoseconds.
 *
 * @param ttlNanos how long a lease lasts
 * @param marginNanos how long before a lease's end debits and starts stop; clock skew, a coarse
 *     tick and the time of a flush must fit into it (R57)
 * @param targetNanos how much of the observed burn a grant should last for
 * @param minimumQuotes how many of the largest quotes seen a grant should hold at least
 * @param shrink the share of a balance one grant may take is {@code 1 / shrink}
 * @param lowWaterShare a lease that falls below {@code 1 / lowWaterShare} of its grant is topped up
 * @param idleNanos how long a lease must have been unused before its free units answer a recall
 * @param recallPollNanos when a holder first looks for a recall after a grant, for it may hold what
 *     others need; then ever more rarely
 * @param firstBackoffNanos the first pause before a demand that was not met is asked again
 * @param maxBackoffNanos the longest such pause while units may come back
 * @param backstopNanos the longest pause before anything unmet or failed is asked again
 * @param holdNanos how long an instance keeps units that are too few for its own demand before it
 *     gives them back and lets others try
 * @param notAfterNanos how long a command may act
 */
public record LeaseSettings(
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
    long notAfterNanos) {

  /** The longest a lease may last: what a dead holder held is out of reach for so long. */
  public static final Duration MAX_TTL = Duration.ofMinutes(10);

  /** The defaults of the product. */
  public static final LeaseSettings DEFAULTS =
      new LeaseSettings(
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
          Duration.ofSeconds(10).toNanos());

  /** Refuses settings under which no lease could be kept, naming the first of them (R42). */
  public LeaseSettings {
    final Setting leases = new Setting("leases");
    leases.require(
        ttlNanos >= 1 && ttlNanos <= MAX_TTL.toNanos(),
        "ttl",
        "be positive and at most " + MAX_TTL);
    leases.require(
        marginNanos >= 0 && marginNanos < ttlNanos, "margin", "lie between 0 and the ttl");
    leases.require(targetNanos >= 1, "target", "be positive");
    leases.require(minimumQuotes >= 1, "minimumQuotes", "be 1 or more");
    leases.require(shrink >= 1, "shrink", "be 1 or more");
    leases.require(lowWaterShare >= 1, "lowWaterShare", "be 1 or more");
    leases.require(idleNanos >= 0, "idle", "not be negative");
    leases.require(recallPollNanos >= 1, "recallPoll", "be positive");
    leases.require(firstBackoffNanos >= 1, "firstBackoff", "be positive");
    leases.require(
        maxBackoffNanos >= firstBackoffNanos, "maxBackoff", "be at least the first backoff");
    leases.require(backstopNanos >= maxBackoffNanos, "backstop", "be at least the max backoff");
    leases.require(holdNanos >= 1, "hold", "be positive");
    leases.require(notAfterNanos >= 1, "notAfter", "be positive");
  }

  /** The same with grants of other sizes. */
  public LeaseSettings granting(final long quotes, final long share) {
    return new LeaseSettings(
        ttlNanos,
        marginNanos,
        targetNanos,
        quotes,
        share,
        lowWaterShare,
        idleNanos,
        recallPollNanos,
        firstBackoffNanos,
        maxBackoffNanos,
        backstopNanos,
        holdNanos,
        notAfterNanos);
  }

  /** The same for leases that last {@code ttl} and stop {@code margin} before their end. */
  public LeaseSettings lasting(final Duration ttl, final Duration margin) {
    return new LeaseSettings(
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
        notAfterNanos);
  }
}
