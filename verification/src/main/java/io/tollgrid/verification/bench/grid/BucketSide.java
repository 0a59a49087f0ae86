package io.tollgrid.verification.bench.grid;

import com.hazelcast.core.HazelcastInstance;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.grid.hazelcast.Bucket4jHazelcast;
import io.tollgrid.ledger.Id128;
import java.time.Duration;
import java.util.List;

/** Bucket4j on a map of the grid: each decision is an entry processor, and nothing is durable. */
final class BucketSide implements Side {
  private static final String MAP = "bench-buckets";
  private static final long CAPACITY = 1L << 40;

  private final List<Bucket> buckets;

  BucketSide(HazelcastInstance member, List<Id128> accounts) {
    final ProxyManager<String> manager =
        Bucket4jHazelcast.<String>entryProcessorBasedBuilder(member.getMap(MAP)).build();
    final BucketConfiguration configuration =
        BucketConfiguration.builder()
            .addLimit(
                limit -> limit.capacity(CAPACITY).refillGreedy(CAPACITY, Duration.ofDays(365)))
            .build();
    this.buckets =
        accounts.stream()
            .map(account -> (Bucket) manager.builder().build(account.toHex(), () -> configuration))
            .toList();
  }

  @Override
  public String name() {
    return "Bucket4j-Hazelcast";
  }

  @Override
  public Caller caller() {
    return new Caller() {
      @Override
      public boolean decide(int account) {
        return buckets.get(account).tryConsume(1);
      }

      @Override
      public void undo() {}

      @Override
      public boolean serve(int account) {
        return decide(account);
      }
    };
  }

  @Override
  public long unrecorded() {
    return 0;
  }
}
