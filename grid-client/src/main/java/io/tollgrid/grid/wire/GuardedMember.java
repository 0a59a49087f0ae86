package io.tollgrid.grid.wire;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import java.net.InetAddress;
import java.util.Set;

/** Starts members whose port is guarded: the only way a member of Tollgrid's is started. */
public final class GuardedMember {
  private GuardedMember() {}

  /** Starts a member of which every client may ask for the same. */
  public static HazelcastInstance start(Config config) {
    return start(config, Set.of());
  }

  /**
   * Starts a member and returns once it has joined.
   *
   * @param unrestricted addresses of hosts whose clients may ask for everything the grid can do
   */
  public static HazelcastInstance start(Config config, Set<InetAddress> unrestricted) {
    return HazelcastInstanceFactory.newHazelcastInstance(
        config, config.getInstanceName(), new GuardedContext(unrestricted));
  }

  /** How Hazelcast is told of it. */
  private static final class GuardedContext extends DefaultNodeContext {
    private final Set<InetAddress> unrestricted;

    GuardedContext(Set<InetAddress> unrestricted) {
      this.unrestricted = Set.copyOf(unrestricted);
    }

    @Override
    public NodeExtension createNodeExtension(Node node) {
      return new GuardedExtension(node, unrestricted);
    }
  }
}
