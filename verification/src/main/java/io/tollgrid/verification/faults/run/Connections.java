package io.tollgrid.verification.faults.run;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.client.InstanceConfig;
import io.tollgrid.grid.GridSerialization;
import io.tollgrid.node.local.FreePorts;
import java.util.List;

/** How processes of a run reach the grid from outside. */
public final class Connections {
  /** Through a Hazelcast client. */
  public static final String CLIENT = "client";

  /** As a member without ledgers. */
  public static final String LITE = "lite";

  private Connections() {}

  /**
   * A client that never gives a cluster up and notices a dead connection as soon as members notice
   * a dead member.
   */
  public static HazelcastInstance client(String cluster, List<String> members) {
    final ClientConfig config = new ClientConfig();
    config.setClusterName(cluster);
    config
        .setProperty("hazelcast.logging.type", "slf4j")
        .setProperty("hazelcast.client.heartbeat.interval", "1000")
        .setProperty("hazelcast.client.heartbeat.timeout", "4000")
        .setProperty("hazelcast.client.invocation.timeout.seconds", "10")
        .setProperty("hazelcast.client.operation.fail.on.indeterminate.state", "true");
    members.forEach(config.getNetworkConfig()::addAddress);
    config.getNetworkConfig().setConnectionTimeout(2_000);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setInitialBackoffMillis(100)
        .setMaxBackoffMillis(1_000)
        .setClusterConnectTimeoutMillis(-1);
    GridSerialization.configure(config.getSerializationConfig());
    return HazelcastClient.newHazelcastClient(config);
  }

  /** A member without ledgers, on terms that the members of a run have. */
  private static HazelcastInstance lite(String cluster, List<String> members) {
    final InstanceConfig config =
        InstanceConfig.builder()
            .clusterName(cluster)
            .addresses(members.toArray(String[]::new))
            .mode(InstanceConfig.Mode.LITE)
            .set("cluster.port", Integer.toString(FreePorts.take(1).get(0)))
            .set("cluster.heartbeatTimeout", Rig.SILENCE.toSeconds() + "s")
            .build();
    final Config lite = new Config();
    config.cluster().terms().applyTo(lite);
    lite.setLiteMember(true);
    return Hazelcast.newHazelcastInstance(lite);
  }

  /** The connection of this name. */
  public static HazelcastInstance open(String kind, String cluster, List<String> members) {
    return switch (kind) {
      case CLIENT -> client(cluster, members);
      case LITE -> lite(cluster, members);
      default -> throw new IllegalArgumentException("no process is connected as \"" + kind + "\"");
    };
  }
}
