package io.tollgrid.node.fence;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The data members of the cluster as this member sees them.
 *
 * @param oldestFirst their addresses, the oldest first
 * @param local this member's address
 */
record ClusterView(List<InetSocketAddress> oldestFirst, InetSocketAddress local) {
  /** Whether this member is the oldest, the one that may reset CP. */
  boolean localIsOldest() {
    return !oldestFirst.isEmpty() && oldestFirst.get(0).equals(local);
  }
}
