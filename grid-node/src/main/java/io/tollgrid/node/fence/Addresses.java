package io.tollgrid.node.fence;

import com.hazelcast.cluster.Address;
import java.net.InetSocketAddress;

/** Hazelcast's addresses as the platform's. */
final class Addresses {
  private Addresses() {}

  /** Unresolved: two names of one host are two addresses, as they are for Hazelcast. */
  static InetSocketAddress of(Address address) {
    return InetSocketAddress.createUnresolved(address.getHost(), address.getPort());
  }
}
