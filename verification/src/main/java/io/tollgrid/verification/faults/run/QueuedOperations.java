package io.tollgrid.verification.faults.run;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.recordstore.RecordStore;
import io.tollgrid.grid.GridNames;

/**
 * Operations on ledgers that wait on a member for a store or load to end.
 *
 * <p>Hazelcast publishes no such number, so this reads its internals; it is part of the harness
 * only.
 */
public final class QueuedOperations {
  private QueuedOperations() {}

  /** How many wait on this member, over all of its partitions. */
  public static long of(HazelcastInstance member) {
    if (!(member instanceof HazelcastInstanceProxy proxy)
        || !member.getLifecycleService().isRunning()) {
      return 0;
    }
    final HazelcastInstanceImpl original = proxy.getOriginal();
    final MapService service = original.node.getNodeEngine().getService(MapService.SERVICE_NAME);
    final MapServiceContext maps = service.getMapServiceContext();
    long queued = 0;
    final int partitions = original.node.getPartitionService().getPartitionCount();
    for (int partition = 0; partition < partitions; partition++) {
      final RecordStore<?> store = maps.getExistingRecordStore(partition, GridNames.LEDGERS);
      if (store != null) {
        queued += store.getMapStoreOffloadedOperationsCount();
      }
    }
    return queued;
  }
}
