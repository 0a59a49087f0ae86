package io.tollgrid.admission.rate;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.RateLimits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one account may start per second on this instance: a count of requests and a sum of units,
 * shared by all its principals (R29).
 *
 * <p>Requests {@link #peek} at every bucket of every leg before they {@link #take} from any. What
 * was taken stays taken when a later check refuses the request. Thread-safe and lock-free;
 * publishing is serialized.
 */
public final class RateLimiter {
  /*
   * Design.
   *
   * A bucket is one word, the instant at which it is full again (GcraArithmetic). The two words of a shard lie beside
   * each other. Limits and words hang off one reference, so a request computes with one set of limits; publishing new
   * limits keeps the words, so changing one dimension keeps the other's state.
   *
   * Shards. A limiter of n shards is n limiters of 1/n of the rate and burst. It is split only as far as each shard
   * still holds the largest legal quote. A re-split first publishes words that are not made yet, then seals the old
   * words, so that nothing is taken from words that no longer count, and makes the new ones from what the emptiest old
   * one held. A sealed word keeps its value, so whoever meets one can do the rest of the re-split and look again: no
   * request waits for the publisher, and none is refused, nor an adjustment lost, because limits change.
   *
   * A clock that steps back leaves words far in the future. A word further ahead than any debt can be, and than clocks
   * of one process disagree, is pulled back to a full debt: the account waits two bursts, not as long as the step was.
   */
  private static final long CLOCKS_DISAGREE_NANOS = 1_000_000_000L;

  /**
   * A word whose value is still to be made; every other negative word is sealed and holds ~value.
   */
  private static final long UNMADE = Long.MIN_VALUE;

  private static final int TAKEN = 0;
  private static final int REFUSED = 1;

  /** The answer of words that do not count: look at those in force now. */
  private static final int MOVED = 2;

  /** The same answer where others are numbers of units. */
  private static final long MOVED_WORDS = -1;

  private static final int COUNT = 0;
  private static final int WEIGHTED = 1;

  /** Words from one shard to the next: no two share a pair of cache lines. */
  private static final int STRIDE = 16;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final State UNLIMITED = new State(null, null, 1, new long[2], null);

  private static final class State {
    final @Nullable RateDimension count;
    final @Nullable RateDimension weighted;
    final int shards;
    final long[] words;

    /** From which state's words these are made, until they are. */
    private volatile @Nullable State before;

    State(
        final @Nullable RateDimension count,
        final @Nullable RateDimension weighted,
        final int shards,
        final long[] words,
        final @Nullable State before) {
      this.count = count;
      this.weighted = weighted;
      this.shards = shards;
      this.words = words;
      this.before = before;
    }

    /** Makes the words, or what is left to make of them; for any thread, any number of times. */
    void make() {
      final State from = before;
      if (from == null) {
        return;
      }
      for (int dimension = COUNT; dimension <= WEIGHTED; dimension++) {
        long latest = 0;
        for (int shard = 0; shard < from.shards; shard++) {
          latest = Math.max(latest, seal(from.words, shard * STRIDE + dimension));
        }
        for (int shard = 0; shard < shards; shard++) {
          WORD.compareAndSet(words, shard * STRIDE + dimension, UNMADE, latest);
        }
      }
      before = null;
    }

    private static long seal(final long[] words, final int word) {
      long fullAt = (long) WORD.getVolatile(words, word);
      while (fullAt >= 0 && !WORD.compareAndSet(words, word, fullAt, ~fullAt)) {
        fullAt = (long) WORD.getVolatile(words, word);
      }
      return fullAt >= 0 ? fullAt : ~fullAt;
    }
  }

  private volatile State state = UNLIMITED;

  // For the control side

  /**
   * Puts limits in force.
   *
   * @param limits the account's
   * @param wantedShards into how many shards to split it at most, 1 or more
   * @param largestQuoteUnits the largest legal quote of any principal of the account, 0 or more
   */
  public synchronized void publish(
      final RateLimits limits, final int wantedShards, final long largestQuoteUnits) {
    final RateDimension count =
        RateDimension.of("requests", limits.requestsPerSecond(), limits.burstRequests());
    final RateDimension weighted =
        RateDimension.of("units", limits.unitsPerSecond(), limits.burstUnits());
    final State before = state;
    final int shards = shards(count, weighted, wantedShards, Math.max(1, largestQuoteUnits));
    if (count == null && weighted == null && before == UNLIMITED) {
      return;
    }
    if (before != UNLIMITED && before.shards == shards) {
      state = new State(count, weighted, shards, before.words, null);
      return;
    }
    final long[] words = new long[shards == 1 ? 2 : shards * STRIDE];
    if (before == UNLIMITED) {
      state = new State(count, weighted, shards, words, null);
      return;
    }
    Arrays.fill(words, UNMADE);
    final State next = new State(count, weighted, shards, words, before);
    state = next;
    next.make();
  }

  private static int shards(
      final @Nullable RateDimension count,
      final @Nullable RateDimension weighted,
      final int wanted,
      final long largestQuoteUnits) {
    long shards = wanted;
    if (count != null) {
      shards = Math.min(shards, count.burst);
    }
    if (weighted != null) {
      shards = Math.min(shards, weighted.burst / largestQuoteUnits);
    }
    return (int) Math.max(1, shards);
  }

  /** Into how many shards the limits in force are split. */
  public int shards() {
    return state.shards;
  }

  // For requests

  /** Whether units are limited, and not only requests. */
  public boolean limitsUnits() {
    return state.weighted != null;
  }

  /** Whether no quote of {@code units} can ever pass (UNPRICEABLE_UNDER_LIMITS). */
  public boolean isUnpriceable(final long units) {
    final State now = state;
    return now.weighted != null && !now.weighted.canEverHold(units, 1);
  }

  /**
   * Whether a request of {@code units} would pass right now; takes nothing.
   *
   * @param stripe any number; the caller's own shard follows from it
   * @return null, or which of the two rates refuses it
   */
  public @Nullable Denial peek(final long units, final int stripe, final long nowNanos) {
    final State now = state;
    if (now == UNLIMITED) {
      return null;
    }
    if (!wouldPass(now, COUNT, 1, stripe, nowNanos)) {
      // Both buckets are to notice a clock that stepped back, or their waits would add up.
      wouldPass(now, WEIGHTED, units, stripe, nowNanos);
      return Denial.REQUEST_RATE_LIMITED;
    }
    return wouldPass(now, WEIGHTED, units, stripe, nowNanos) ? null : Denial.RATE_LIMITED;
  }

  /**
   * Peeks and takes in one go: what a request of a single leg needs.
   *
   * @return null, or which of the two rates refuses it; then nothing was taken, unless others took
   *     the units between the look and the take
   */
  public @Nullable Denial pass(final long units, final int stripe, final long nowNanos) {
    final State now = state;
    if (now == UNLIMITED) {
      return null;
    }
    final RateDimension count = now.count;
    final RateDimension weighted = now.weighted;
    if (now.shards == 1 && count != null && weighted != null && weighted.canEverHold(units, 1)) {
      final long[] words = now.words;
      final long weightedCost = weighted.costNanos(units, 1);
      final long countFullAt = (long) WORD.getVolatile(words, COUNT);
      final long weightedFullAt = (long) WORD.getVolatile(words, WEIGHTED);
      final long countNext = next(countFullAt, nowNanos, count.costNanos(1, 1), count.burstNanos);
      final long weightedNext = next(weightedFullAt, nowNanos, weightedCost, weighted.burstNanos);
      if (countNext >= 0
          && weightedNext >= 0
          && WORD.compareAndSet(words, COUNT, countFullAt, countNext)) {
        return WORD.compareAndSet(words, WEIGHTED, weightedFullAt, weightedNext)
                || tryTake(now, WEIGHTED, units, stripe, nowNanos)
            ? null
            : Denial.RATE_LIMITED;
      }
    }
    final Denial refused = peek(units, stripe, nowNanos);
    return refused != null ? refused : take(units, stripe, nowNanos);
  }

  /** What a word becomes by a take; negative if it does not count or does not hold as much. */
  private static long next(
      final long fullAt, final long nowNanos, final long costNanos, final long burstNanos) {
    return fullAt < 0 ? fullAt : GcraArithmetic.take(fullAt, nowNanos, costNanos, burstNanos);
  }

  /**
   * Takes one request and {@code units}, in this order.
   *
   * @return null, or which of the two had been taken by others meanwhile; what was taken before it
   *     stays taken
   */
  public @Nullable Denial take(final long units, final int stripe, final long nowNanos) {
    final State now = state;
    if (now == UNLIMITED) {
      return null;
    }
    if (!tryTake(now, COUNT, 1, stripe, nowNanos)) {
      return Denial.REQUEST_RATE_LIMITED;
    }
    return tryTake(now, WEIGHTED, units, stripe, nowNanos) ? null : Denial.RATE_LIMITED;
  }

  /**
   * Charges what a request uses beyond what it took (R9), up to one burst of debt.
   *
   * @param units 0 or more
   * @return how many of them it was charged for: what the debt has no room for is forgiven, and
   *     what nothing limits is not charged
   */
  public long charge(final long units, final int stripe, final long nowNanos) {
    State now = state;
    long charged = charge(now, units, stripe, nowNanos);
    while (charged == MOVED_WORDS) {
      now = inForce();
      charged = charge(now, units, stripe, nowNanos);
    }
    return charged;
  }

  /** {@link #MOVED_WORDS} if the words do not count. */
  private static long charge(
      final State now, final long units, final int stripe, final long nowNanos) {
    final RateDimension weighted = now.weighted;
    if (weighted == null || units == 0) {
      return 0;
    }
    final int word = shardOf(now, stripe) * STRIDE + WEIGHTED;
    final long cost = weighted.adjustmentNanos(units, now.shards);
    for (long fullAt = (long) WORD.getVolatile(now.words, word);
        fullAt >= 0;
        fullAt = (long) WORD.getVolatile(now.words, word)) {
      final long next = GcraArithmetic.charge(fullAt, nowNanos, cost, weighted.burstNanos);
      if (WORD.compareAndSet(now.words, word, fullAt, next)) {
        final long paid = next - Math.max(fullAt, nowNanos);
        return Math.min(units, weighted.paidBy(Math.max(0, paid), now.shards));
      }
      Thread.onSpinWait();
    }
    return MOVED_WORDS;
  }

  /**
   * Gives back what a request took, or was charged for, and did not use (R9).
   *
   * @param units 0 or more, no more than that
   */
  public void refund(final long units, final int stripe) {
    State now = state;
    while (!refund(now, units, stripe)) {
      now = inForce();
    }
  }

  /** False if the words do not count. */
  private static boolean refund(final State now, final long units, final int stripe) {
    final RateDimension weighted = now.weighted;
    if (weighted == null || units == 0) {
      return true;
    }
    final int word = shardOf(now, stripe) * STRIDE + WEIGHTED;
    final long worth = weighted.refundNanos(units, now.shards);
    for (long fullAt = (long) WORD.getVolatile(now.words, word);
        fullAt >= 0;
        fullAt = (long) WORD.getVolatile(now.words, word)) {
      if (WORD.compareAndSet(now.words, word, fullAt, GcraArithmetic.giveBack(fullAt, worth))) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /**
   * The earliest time at which a request of {@code units} could pass if nobody else took anything:
   * a bound and no promise. Takes nothing.
   *
   * @return epoch nanoseconds, {@code nowNanos} if it would pass now, {@link Long#MAX_VALUE} if
   *     never
   */
  public long earliestNanos(final long units, final long nowNanos) {
    return Math.max(earliestNanos(COUNT, 1, nowNanos), earliestNanos(WEIGHTED, units, nowNanos));
  }

  private long earliestNanos(final int which, final long quantity, final long nowNanos) {
    State now = state;
    long earliest = earliestNanos(now, which, quantity, nowNanos);
    while (earliest == UNMADE) {
      now = inForce();
      earliest = earliestNanos(now, which, quantity, nowNanos);
    }
    return earliest;
  }

  /** {@link #UNMADE} if the words do not count. */
  private static long earliestNanos(
      final State now, final int which, final long quantity, final long nowNanos) {
    final RateDimension dimension = which == COUNT ? now.count : now.weighted;
    if (dimension == null) {
      return nowNanos;
    }
    if (!dimension.canEverHold(quantity, now.shards)) {
      return Long.MAX_VALUE;
    }
    final long cost = dimension.costNanos(quantity, now.shards);
    long earliest = Long.MAX_VALUE;
    for (int shard = 0; shard < now.shards; shard++) {
      final long fullAt = (long) WORD.getVolatile(now.words, shard * STRIDE + which);
      if (fullAt < 0) {
        return UNMADE;
      }
      earliest = Math.min(earliest, GcraArithmetic.earliest(fullAt, cost, dimension.burstNanos));
    }
    return Math.max(nowNanos, earliest);
  }

  /** The state in force, its words made. */
  private State inForce() {
    final State now = state;
    now.make();
    return now;
  }

  private static int shardOf(final State now, final int stripe) {
    return now.shards == 1 ? 0 : Math.floorMod(stripe, now.shards);
  }

  private boolean wouldPass(
      final State first,
      final int which,
      final long quantity,
      final int stripe,
      final long nowNanos) {
    int answer = tryEach(first, which, quantity, stripe, nowNanos, false);
    while (answer == MOVED) {
      answer = tryEach(inForce(), which, quantity, stripe, nowNanos, false);
    }
    return answer == TAKEN;
  }

  private boolean tryTake(
      final State first,
      final int which,
      final long quantity,
      final int stripe,
      final long nowNanos) {
    int answer = tryEach(first, which, quantity, stripe, nowNanos, true);
    while (answer == MOVED) {
      answer = tryEach(inForce(), which, quantity, stripe, nowNanos, true);
    }
    return answer == TAKEN;
  }

  /** Asks each shard, the caller's own first, and takes from one that holds the quantity. */
  private static int tryEach(
      final State now,
      final int which,
      final long quantity,
      final int stripe,
      final long nowNanos,
      final boolean take) {
    final RateDimension dimension = which == COUNT ? now.count : now.weighted;
    if (dimension == null) {
      return TAKEN;
    }
    if (!dimension.canEverHold(quantity, now.shards)) {
      return REFUSED;
    }
    final long cost = dimension.costNanos(quantity, now.shards);
    final int home = shardOf(now, stripe);
    for (int i = 0, shard = home; i < now.shards; i++) {
      final int word = shard * STRIDE + which;
      final int answer =
          take
              ? tryTake(now.words, word, cost, dimension.burstNanos, nowNanos)
              : wouldPass(now.words, word, cost, dimension.burstNanos, nowNanos);
      if (answer != REFUSED) {
        return answer;
      }
      shard = shard + 1 == now.shards ? 0 : shard + 1;
    }
    return REFUSED;
  }

  private static int tryTake(
      final long[] words,
      final int word,
      final long costNanos,
      final long burstNanos,
      final long nowNanos) {
    for (long fullAt = (long) WORD.getVolatile(words, word);
        fullAt >= 0;
        fullAt = (long) WORD.getVolatile(words, word)) {
      final long next = GcraArithmetic.take(fullAt, nowNanos, costNanos, burstNanos);
      if (next == GcraArithmetic.REFUSED) {
        return REFUSED;
      }
      if (WORD.compareAndSet(words, word, fullAt, next)) {
        return TAKEN;
      }
      Thread.onSpinWait();
    }
    return MOVED;
  }

  private static int wouldPass(
      final long[] words,
      final int word,
      final long costNanos,
      final long burstNanos,
      final long nowNanos) {
    final long fullAt = (long) WORD.getVolatile(words, word);
    if (fullAt < 0) {
      return MOVED;
    }
    if (GcraArithmetic.take(fullAt, nowNanos, costNanos, burstNanos) != GcraArithmetic.REFUSED) {
      return TAKEN;
    }
    final long furthest = 2 * burstNanos;
    if (fullAt - nowNanos - furthest > CLOCKS_DISAGREE_NANOS) {
      WORD.compareAndSet(words, word, fullAt, nowNanos + furthest);
    }
    return REFUSED;
  }
}
