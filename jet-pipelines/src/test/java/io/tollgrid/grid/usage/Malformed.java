package io.tollgrid.grid.usage;

import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.grid.GridNames;

/** Batches that no writer of ours would leave. */
public final class Malformed {
  private Malformed() {}

  /** Leaves one. */
  public static void leave(HazelcastInstance member, String key) {
    member
        .<String, InboxEntry>getMap(GridNames.USAGE_INBOX)
        .executeOnKey(key, new LeaveUsage(new byte[] {1, 2, 3}, 1, true));
  }
}
