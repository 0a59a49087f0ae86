package io.tollgrid.verification.faults.run;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.util.HashUtil;
import io.tollgrid.grid.GridNames;
import io.tollgrid.ledger.Id128;
import java.util.function.ToIntFunction;

/** Which partition of a grid an account is on, without asking the grid. Not thread-safe. */
final class GridPartitions implements ToIntFunction<Id128> {
  private final InternalSerializationService serialization =
      new DefaultSerializationServiceBuilder().build();
  private final int count;

  /** Of a grid with so many partitions. */
  GridPartitions(int count) {
    this.count = count;
  }

  @Override
  public int applyAsInt(Id128 account) {
    return HashUtil.hashToIndex(
        serialization.toData(GridNames.ledgerKey(account)).getPartitionHash(), count);
  }
}
