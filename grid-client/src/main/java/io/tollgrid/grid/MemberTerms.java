package io.tollgrid.grid;

import com.hazelcast.config.Config;
import com.hazelcast.config.InterfacesConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.ManagementCenterConfig;
import com.hazelcast.config.MemcacheProtocolConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.RestApiConfig;
import com.hazelcast.config.UserCodeDeploymentConfig;
import java.time.Duration;
import java.util.List;

/**
 * What a member must have in common with the others of its cluster, whether it holds ledgers or is
 * a lite member inside a service: any of them may come to be the master.
 *
 * @param clusterName what members and clients must agree on
 * @param bindAddress the address it binds, and no other
 * @param port the port it binds
 * @param members {@code host:port} of the members it looks for
 * @param partitions ledger partitions
 * @param heartbeatInterval how often it shows that it lives; whole seconds
 * @param heartbeatTimeout silence after which it gives another member up; whole seconds
 * @param callTimeout how long a grid operation may wait
 * @param shutdownTimeout how long leaving the cluster may take
 */
public record MemberTerms(
    String clusterName,
    String bindAddress,
    int port,
    List<String> members,
    int partitions,
    Duration heartbeatInterval,
    Duration heartbeatTimeout,
    Duration callTimeout,
    Duration shutdownTimeout) {
  private static final String MIGRATION_SECONDS = "30";
  private static final int MERGE_CHECK_SECONDS = 10;

  /** A client's message: a batch of usage has some hundred kilobytes. */
  private static final int MAX_MESSAGE_BYTES = 1 << 20;

  /** A client that is silent for as long is gone; it shows every five seconds that it lives. */
  private static final int CLIENT_SILENCE_SECONDS = 60;

  /** Keeps a copy of the list. */
  public MemberTerms {
    members = List.copyOf(members);
  }

  /** Sets all of it, over whatever a configuration says. */
  public void applyTo(Config config) {
    config.setClusterName(clusterName);
    network(config);
    timing(config);
    harden(config);
    GridSerialization.configure(config.getSerializationConfig());
  }

  private void network(Config config) {
    final NetworkConfig network = config.getNetworkConfig();
    network.setPort(port).setPortAutoIncrement(false);
    network.setInterfaces(new InterfacesConfig().setEnabled(true).addInterface(bindAddress));
    final JoinConfig join = new JoinConfig();
    join.getMulticastConfig().setEnabled(false);
    join.getAutoDetectionConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    members.forEach(join.getTcpIpConfig()::addMember);
    network.setJoin(join);
    network.setRestApiConfig(new RestApiConfig().setEnabled(false));
    network.setMemcacheProtocolConfig(new MemcacheProtocolConfig().setEnabled(false));
    // Without it a member listens on every interface, whatever the one it was told to use.
    config.setProperty("hazelcast.socket.bind.any", "false");
  }

  private void timing(Config config) {
    config
        .setProperty("hazelcast.partition.count", Integer.toString(partitions))
        .setProperty("hazelcast.heartbeat.interval.seconds", seconds(heartbeatInterval))
        .setProperty("hazelcast.max.no.heartbeat.seconds", seconds(heartbeatTimeout))
        .setProperty(
            "hazelcast.operation.call.timeout.millis", Long.toString(callTimeout.toMillis()))
        // A partition's entries are small; whoever has not moved them by then will not (ADR 0006).
        .setProperty("hazelcast.partition.migration.timeout", MIGRATION_SECONDS)
        .setProperty(
            "hazelcast.merge.first.run.delay.seconds", Integer.toString(MERGE_CHECK_SECONDS))
        .setProperty(
            "hazelcast.merge.next.run.delay.seconds", Integer.toString(MERGE_CHECK_SECONDS))
        // Members that start together are let in together; nobody waits longer for a latecomer.
        .setProperty("hazelcast.wait.seconds.before.join", "1")
        // An operation whose backup or store did not answer is not retried behind our back.
        .setProperty("hazelcast.operation.fail.on.indeterminate.state", "true")
        // Whoever started the member stops it, in order and under one deadline; two hooks race.
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.shutdownhook.policy", "GRACEFUL")
        .setProperty("hazelcast.graceful.shutdown.max.wait", seconds(shutdownTimeout));
  }

  private static String seconds(Duration duration) {
    return Long.toString(duration.toSeconds());
  }

  private static void harden(Config config) {
    config
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.logging.type", "slf4j")
        .setProperty("hazelcast.jmx", "true")
        .setProperty(
            "hazelcast.client.protocol.max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES))
        .setProperty(
            "hazelcast.client.max.no.heartbeat.seconds", Integer.toString(CLIENT_SILENCE_SECONDS));
    config.getMetricsConfig().setEnabled(true);
    config.getMetricsConfig().getJmxConfig().setEnabled(true);
    config.setUserCodeDeploymentConfig(new UserCodeDeploymentConfig().setEnabled(false));
    config.setManagementCenterConfig(
        new ManagementCenterConfig()
            .setScriptingEnabled(false)
            .setConsoleEnabled(false)
            .setDataAccessEnabled(false));
    // SQL over the ledgers needs the engine; jobs with code of a client's are another matter.
    config.getJetConfig().setEnabled(true).setResourceUploadEnabled(false);
    config
        .getSerializationConfig()
        .setJavaSerializationFilterConfig(JavaDeserialization.allowList());
  }
}
