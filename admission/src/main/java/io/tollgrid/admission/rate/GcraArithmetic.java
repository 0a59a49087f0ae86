package io.tollgrid.admission.rate;

/**
 * The arithmetic of the generic cell rate algorithm (ITU-T I.371) over longs.
 *
 * <p>A bucket is one number, the <em>theoretical arrival time</em>: the instant at which it will be
 * full again. Taking moves it ahead by what the units cost in time; it may be at most one
 * <em>burst</em> of time ahead of now, two after an adjustment made it owe (R9). Costs are rounded
 * up, so that rounding never admits more than the rate (R7).
 *
 * <p>All times are epoch nanoseconds, 0 or more. Every method is total on its stated domain, free
 * of side effects and proved as shipped.
 */
public final class GcraArithmetic {
  /** What {@link #take} answers when the bucket does not hold the units. */
  public static final long REFUSED = -1;

  /** Bound of a burst's cost in scaled nanoseconds: twice a burst still fits a long. */
  static final long MAX_SCALED_BURST = 1L << 61;

  private GcraArithmetic() {}

  /**
   * The time {@code units} cost, rounded up.
   *
   * @param units 0 or more
   * @param scaledInterval the time of one unit in 2^-{@code shift} nanoseconds, 1 or more, with
   *     {@code units * scaledInterval} at most 2^62
   * @param shift 0 to 61
   * @return nanoseconds
   */
  /*@ public normal_behavior
  @ requires 0 <= units && 1 <= scaledInterval && 0 <= shift && shift <= 61;
  @ requires units <= 4611686018427387904L / scaledInterval;
  @ ensures \java_math(units * scaledInterval >> shift << shift) == \java_math(units * scaledInterval)
  @     ==> \result == \java_math(units * scaledInterval >> shift);
  @ ensures \java_math(units * scaledInterval >> shift << shift) != \java_math(units * scaledInterval)
  @     ==> \result == \java_math((units * scaledInterval >> shift) + 1);
  @ assignable \strictly_nothing;
  @*/
  public static long costNanos(final long units, final long scaledInterval, final int shift) {
    final long scaled = units * scaledInterval;
    final long whole = scaled >> shift;
    return scaled == whole << shift ? whole : whole + 1;
  }

  /**
   * Takes what costs {@code costNanos} from a bucket.
   *
   * @param fullAt when the bucket will be full
   * @param nowNanos the caller's time
   * @param costNanos 0 to {@code burstNanos}
   * @param burstNanos what a full bucket holds
   * @return when it will be full after that, or {@link #REFUSED} if it does not hold as much
   */
  /*@ public normal_behavior
  @ requires 0 <= fullAt && 0 <= nowNanos && 0 <= costNanos && costNanos <= burstNanos;
  @ ensures \result == -1 || \result == (fullAt > nowNanos ? fullAt : nowNanos) + costNanos;
  @ ensures \result == -1 <==>
  @     ((fullAt > nowNanos ? fullAt - nowNanos : 0) + costNanos > burstNanos
  @     || (fullAt > nowNanos ? fullAt : nowNanos) + costNanos > 9223372036854775807L);
  @ ensures \result != -1 ==> \result - nowNanos <= burstNanos;
  @ ensures \result != -1 ==> \result >= fullAt && \result >= nowNanos;
  @ assignable \strictly_nothing;
  @*/
  public static long take(
      final long fullAt, final long nowNanos, final long costNanos, final long burstNanos) {
    final long from = fullAt > nowNanos ? fullAt : nowNanos;
    if (from - nowNanos > burstNanos - costNanos || from > Long.MAX_VALUE - costNanos) {
      return REFUSED;
    }
    return from + costNanos;
  }

  /**
   * The earliest time at which {@link #take} would succeed if nobody else took anything.
   *
   * @param fullAt when the bucket will be full
   * @param costNanos 0 to {@code burstNanos}
   * @param burstNanos what a full bucket holds
   */
  /*@ public normal_behavior
  @ requires 0 <= fullAt && 0 <= costNanos && costNanos <= burstNanos;
  @ ensures \result == fullAt - (burstNanos - costNanos);
  @ assignable \strictly_nothing;
  @*/
  public static long earliest(final long fullAt, final long costNanos, final long burstNanos) {
    return fullAt - (burstNanos - costNanos);
  }

  /**
   * Charges more than was taken. The bucket owes at most one burst afterwards, unless it owed more
   * before.
   *
   * @param fullAt when the bucket will be full
   * @param nowNanos the caller's time
   * @param costNanos what to charge, 0 or more
   * @param burstNanos what a full bucket holds, at most 2^61
   * @return when it will be full after that
   */
  /*@ public normal_behavior
  @ requires 0 <= fullAt && 0 <= nowNanos && 0 <= costNanos;
  @ requires 0 <= burstNanos && burstNanos <= 2305843009213693952L;
  @ ensures \result >= fullAt;
  @ ensures \result == fullAt || \result - nowNanos <= 2 * burstNanos;
  @ assignable \strictly_nothing;
  @*/
  public static long charge(
      final long fullAt, final long nowNanos, final long costNanos, final long burstNanos) {
    final long from = fullAt > nowNanos ? fullAt : nowNanos;
    final long mayOwe = 2 * burstNanos - (from - nowNanos);
    final long charged = costNanos < mayOwe ? costNanos : mayOwe;
    return charged <= 0 || from > Long.MAX_VALUE - charged ? fullAt : from + charged;
  }

  /**
   * Gives back what was taken and not used.
   *
   * @param fullAt when the bucket will be full
   * @param costNanos what to give back, 0 or more
   * @return when it will be full after that, never before the epoch
   */
  /*@ public normal_behavior
  @ requires 0 <= fullAt && 0 <= costNanos;
  @ ensures 0 <= \result && \result <= fullAt;
  @ ensures \result == 0 || \result == fullAt - costNanos;
  @ assignable \strictly_nothing;
  @*/
  public static long giveBack(final long fullAt, final long costNanos) {
    return costNanos < fullAt ? fullAt - costNanos : 0;
  }
}
