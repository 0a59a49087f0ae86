package io.tollgrid.node.member;

import com.hazelcast.config.Config;
import com.hazelcast.config.ExecutorConfig;
import com.hazelcast.config.InterfacesConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.ManagementCenterConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MemberAttributeConfig;
import com.hazelcast.config.MemcacheProtocolConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.RestApiConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.config.UserCodeDeploymentConfig;
import com.hazelcast.config.YamlConfigBuilder;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.GridSerialization;
import io.tollgrid.node.config.ConfigException;
import io.tollgrid.node.config.NodeConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Makes the configuration of a member: a file of the operator's, and over it what must hold. */
public final class MemberConfig {
  /** The name of the split-brain protection of ledgers. */
  static final String PROTECTION = "tollgrid-majority";

  /** Where Hazelcast runs the stores and loads of maps, off its partition threads. */
  private static final String STORE_EXECUTOR = "hz:map-store-offloadable";

  private static final int ROW_FETCHERS = 8;
  private static final int POLICY_READERS = 4;
  private static final String MIGRATION_SECONDS = "30";
  private static final int MERGE_CHECK_SECONDS = 10;

  private final NodeConfig node;

  private MemberConfig(NodeConfig node) {
    this.node = node;
  }

  /**
   * The configuration of a data member.
   *
   * @param ledgerStore the map store of the ledgers
   * @param userContext what operations find on the member
   * @param attributes what other members see of this one
   * @throws ConfigException if the operator's Hazelcast file sets what is not its to set
   */
  public static Config of(
      NodeConfig node,
      Object ledgerStore,
      Map<String, Object> userContext,
      Map<String, String> attributes) {
    final MemberConfig maker = new MemberConfig(node);
    final Config config =
        node.cluster().hazelcastFile().map(MemberConfig::read).orElseGet(Config::new);
    maker.identify(config, attributes);
    maker.network(config);
    maker.timing(config);
    harden(config);
    maker.ledgers(config, ledgerStore);
    config.getUserContext().putAll(userContext);
    return config;
  }

  private static Config read(Path file) {
    final Config config;
    try (InputStream yaml = Files.newInputStream(file)) {
      config = new YamlConfigBuilder(yaml).build();
    } catch (IOException | RuntimeException e) {
      throw new ConfigException(
          "cluster.hazelcastFile: " + file + " cannot be used: " + firstLine(e), e);
    }
    refuse(
        config.getMapConfigs().containsKey(GridNames.LEDGERS),
        "the map \"" + GridNames.LEDGERS + "\"",
        file);
    refuse(config.getCPSubsystemConfig().getCPMemberCount() != 0, "cp-subsystem", file);
    refuse(config.isLiteMember(), "lite-member: a node holds ledgers", file);
    refuse(config.getAdvancedNetworkConfig().isEnabled(), "advanced-network", file);
    refuse(config.getUserCodeDeploymentConfig().isEnabled(), "user-code-deployment", file);
    refuse(config.getJetConfig().isResourceUploadEnabled(), "jet.resource-upload-enabled", file);
    return config;
  }

  private static void refuse(boolean set, String what, Path file) {
    if (set) {
      throw new ConfigException(
          "cluster.hazelcastFile: " + file + " sets " + what + ", which is Tollgrid's to decide");
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }

  private void identify(Config config, Map<String, String> attributes) {
    config.setClusterName(node.cluster().name());
    final MemberAttributeConfig shown = new MemberAttributeConfig();
    attributes.forEach(shown::setAttribute);
    config.setMemberAttributeConfig(shown);
  }

  private void network(Config config) {
    final NetworkConfig network = config.getNetworkConfig();
    network.setPort(node.cluster().port()).setPortAutoIncrement(false);
    network.setInterfaces(
        new InterfacesConfig().setEnabled(true).addInterface(node.cluster().bindAddress()));
    final JoinConfig join = new JoinConfig();
    join.getMulticastConfig().setEnabled(false);
    join.getAutoDetectionConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    node.cluster().members().forEach(join.getTcpIpConfig()::addMember);
    network.setJoin(join);
    network.setRestApiConfig(new RestApiConfig().setEnabled(false));
    network.setMemcacheProtocolConfig(new MemcacheProtocolConfig().setEnabled(false));
    // Without it a member listens on every interface, whatever the one it was told to use.
    config.setProperty("hazelcast.socket.bind.any", "false");
  }

  private void timing(Config config) {
    config
        .setProperty("hazelcast.partition.count", Integer.toString(node.cluster().partitions()))
        .setProperty(
            "hazelcast.heartbeat.interval.seconds", seconds(node.cluster().heartbeatInterval()))
        .setProperty(
            "hazelcast.max.no.heartbeat.seconds", seconds(node.cluster().heartbeatTimeout()))
        .setProperty(
            "hazelcast.operation.call.timeout.millis",
            Long.toString(node.cluster().callTimeout().toMillis()))
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
        // The node's own stop does it, in order and under one deadline; two hooks would race.
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.shutdownhook.policy", "GRACEFUL")
        .setProperty("hazelcast.graceful.shutdown.max.wait", seconds(node.shutdownTimeout()));
  }

  private static String seconds(Duration duration) {
    return Long.toString(duration.toSeconds());
  }

  private static void harden(Config config) {
    config
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.logging.type", "slf4j")
        .setProperty("hazelcast.jmx", "true");
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

  private void ledgers(Config config, Object ledgerStore) {
    GridSerialization.configure(config.getSerializationConfig());
    final MapConfig ledgers = LedgerMapConfig.of(ledgerStore);
    if (node.cluster().expectedMembers() > 1) {
      config.addSplitBrainProtectionConfig(
          new SplitBrainProtectionConfig(PROTECTION, true, node.cluster().majority())
              .setProtectOn(SplitBrainProtectionOn.READ_WRITE));
      ledgers.setSplitBrainProtectionName(PROTECTION);
    }
    config.addMapConfig(ledgers);
    config.addExecutorConfig(new ExecutorConfig(STORE_EXECUTOR, node.database().storeThreads()));
    config.addExecutorConfig(new ExecutorConfig(GridNames.LEDGER_ROWS, ROW_FETCHERS));
    config.addExecutorConfig(new ExecutorConfig(GridNames.POLICY_READS, POLICY_READERS));
  }
}
