package io.tollgrid.admission.lease;

/** How a number is split evenly: total, free of side effects and proved as shipped. */
public final class ShardArithmetic {
  private ShardArithmetic() {}

  /**
   * The share of one shard: every share is the quotient, or one more for the first shards, as many
   * as the remainder says; together they are the whole.
   *
   * @param whole 0 or more
   * @param shards 1 or more
   * @param shard 0 to {@code shards - 1}
   */
  /*@ public normal_behavior
  @ requires 0 <= whole && 1 <= shards && 0 <= shard && shard < shards;
  @ ensures shard < \java_math(whole % shards) ==> \result == \java_math(whole / shards + 1);
  @ ensures shard >= \java_math(whole % shards) ==> \result == \java_math(whole / shards);
  @ assignable \strictly_nothing;
  @*/
  public static long share(final long whole, final int shards, final int shard) {
    return whole / shards + (shard < whole % shards ? 1 : 0);
  }
}
