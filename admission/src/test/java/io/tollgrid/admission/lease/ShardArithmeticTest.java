package io.tollgrid.admission.lease;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Witnesses R2: shares are even, and together they are the whole. */
class ShardArithmeticTest {
  @Property
  void sharesAreEvenAndTogetherTheWhole(
      @ForAll @LongRange(min = 0) final long whole,
      @ForAll @IntRange(min = 1, max = 200) final int shards) {
    long left = whole;
    long before = Long.MAX_VALUE;
    for (int shard = 0; shard < shards; shard++) {
      final long share = ShardArithmetic.share(whole, shards, shard);
      assertThat(share - whole / shards).isBetween(0L, 1L);
      assertThat(share).isLessThanOrEqualTo(before);
      before = share;
      left -= share;
    }
    assertThat(left).isZero();
  }

  @Property
  void aHugeNumberOfShardsIsSplitAsWell(
      @ForAll @LongRange(min = 0) final long whole,
      @ForAll @IntRange(min = 1) final int shards,
      @ForAll @IntRange(min = 0) final int anyShard) {
    final int shard = anyShard % shards;

    assertThat(ShardArithmetic.share(whole, shards, shard))
        .isEqualTo(whole / shards + (shard < whole % shards ? 1 : 0));
  }
}
