package io.tollgrid.grid.usage;

import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.spi.merge.PutIfAbsentMergePolicy;
import io.tollgrid.grid.GridNames;
import io.tollgrid.ledger.UsageVerdict;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A data member's own part of the inbox: where batches are taken and their events classified.
 * Thread-safe.
 */
public final class MemberInbox {
  private final IMap<String, InboxEntry> batches;

  /** The inbox on a data member. */
  public MemberInbox(HazelcastInstance member) {
    this.batches = member.getMap(GridNames.USAGE_INBOX);
  }

  /**
   * The map: one copy beside the owner's, and nothing is ever evicted; credits bound it (R22). Of a
   * split cluster's two halves all that only one of them has is kept.
   */
  public static MapConfig mapConfig() {
    return new MapConfig(GridNames.USAGE_INBOX)
        .setInMemoryFormat(InMemoryFormat.OBJECT)
        .setBackupCount(1)
        .setAsyncBackupCount(0)
        .setReadBackupData(false)
        .setTimeToLiveSeconds(0)
        .setMaxIdleSeconds(0)
        .setEvictionConfig(
            new EvictionConfig()
                .setEvictionPolicy(EvictionPolicy.NONE)
                .setMaxSizePolicy(MaxSizePolicy.PER_NODE))
        .setMergePolicyConfig(
            new MergePolicyConfig().setPolicy(PutIfAbsentMergePolicy.class.getName()))
        .setStatisticsEnabled(true);
  }

  /** Names of the batches this member owns. Blocks. */
  public Set<String> keys() {
    return batches.localKeySet();
  }

  /** Those of the batches that are there. Blocks. */
  public List<LeftUsage> read(Collection<String> keys) {
    return batches.getAll(Set.copyOf(keys)).entrySet().stream().map(MemberInbox::left).toList();
  }

  private static LeftUsage left(Map.Entry<String, InboxEntry> entry) {
    return new LeftUsage(entry.getKey(), entry.getValue().events(), entry.getValue().verdicts());
  }

  /**
   * Writes down what events of a batch were classified as.
   *
   * @param positions places in the batch
   * @param verdicts of each its classification
   * @return whether the batch is still there
   */
  public CompletionStage<Boolean> classify(
      String key, List<Integer> positions, List<UsageVerdict> verdicts) {
    final int[] at = new int[positions.size()];
    final byte[] places = new byte[at.length];
    for (int i = 0; i < at.length; i++) {
      at[i] = positions.get(i);
      places[i] = UsageVerdicts.placeOf(verdicts.get(i));
    }
    return batches.submitToKey(key, new ClassifyUsage(at, places));
  }
}
