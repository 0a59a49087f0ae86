package io.tollgrid.node.member;

import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.spi.merge.DiscardMergePolicy;
import io.tollgrid.grid.GridNames;

/**
 * The map of ledgers (architecture §3.1).
 *
 * <p>Every line is part of exactness. No backups: PostgreSQL is the authority and entries are read
 * again after a takeover. Write-through: {@code writeDelaySeconds} 0, off the partition threads.
 * Nothing leaves memory by itself. After a split brain the smaller side's entries are thrown away.
 */
final class LedgerMapConfig {
  private LedgerMapConfig() {}

  /**
   * The configuration.
   *
   * @param store a {@code MapStore<String, LedgerEntry>}
   */
  static MapConfig of(Object store) {
    return new MapConfig(GridNames.LEDGERS)
        .setInMemoryFormat(InMemoryFormat.BINARY)
        .setBackupCount(0)
        .setAsyncBackupCount(0)
        .setReadBackupData(false)
        .setTimeToLiveSeconds(0)
        .setMaxIdleSeconds(0)
        .setEvictionConfig(
            new EvictionConfig()
                .setEvictionPolicy(EvictionPolicy.NONE)
                .setMaxSizePolicy(MaxSizePolicy.PER_NODE))
        .setMergePolicyConfig(new MergePolicyConfig().setPolicy(DiscardMergePolicy.class.getName()))
        .setStatisticsEnabled(true)
        .setMapStoreConfig(
            new MapStoreConfig()
                .setEnabled(true)
                .setImplementation(store)
                .setInitialLoadMode(MapStoreConfig.InitialLoadMode.LAZY)
                .setWriteDelaySeconds(0)
                .setOffload(true));
  }
}
