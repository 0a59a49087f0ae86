package io.tollgrid.node.member;

import com.hazelcast.config.Config;
import com.hazelcast.config.ExecutorConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MemberAttributeConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.config.YamlConfigBuilder;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import io.tollgrid.client.config.ConfigException;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.usage.MemberInbox;
import io.tollgrid.node.config.NodeConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Makes the configuration of a member: a file of the operator's, and over it what must hold. */
public final class MemberConfig {
  /** The name of the split-brain protection of ledgers. */
  static final String PROTECTION = "tollgrid-majority";

  /** Where Hazelcast runs the stores and loads of maps, off its partition threads. */
  private static final String STORE_EXECUTOR = "hz:map-store-offloadable";

  private static final int ROW_FETCHERS = 8;
  private static final int POLICY_READERS = 4;

  /** One connection's worth; who finds the queue full tells it again. */
  private static final int AUTHORITY_WRITERS = 1;

  private static final int AUTHORITY_WRITES_WAITING = 1_000;

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
    identify(config, attributes);
    node.cluster().member().applyTo(config);
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
    for (final String map : List.of(GridNames.LEDGERS, GridNames.USAGE_INBOX)) {
      refuse(config.getMapConfigs().containsKey(map), "the map \"" + map + "\"", file);
    }
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

  private static void identify(Config config, Map<String, String> attributes) {
    final MemberAttributeConfig shown = new MemberAttributeConfig();
    attributes.forEach(shown::setAttribute);
    config.setMemberAttributeConfig(shown);
  }

  private void ledgers(Config config, Object ledgerStore) {
    final MapConfig ledgers = LedgerMapConfig.of(ledgerStore);
    if (node.cluster().expectedMembers() > 1) {
      config.addSplitBrainProtectionConfig(
          new SplitBrainProtectionConfig(PROTECTION, true, node.cluster().majority())
              .setProtectOn(SplitBrainProtectionOn.READ_WRITE));
      ledgers.setSplitBrainProtectionName(PROTECTION);
    }
    config.addMapConfig(ledgers);
    config.addMapConfig(MemberInbox.mapConfig());
    config.addExecutorConfig(new ExecutorConfig(STORE_EXECUTOR, node.database().storeThreads()));
    config.addExecutorConfig(new ExecutorConfig(GridNames.LEDGER_ROWS, ROW_FETCHERS));
    config.addExecutorConfig(new ExecutorConfig(GridNames.POLICY_READS, POLICY_READERS));
    config.addExecutorConfig(
        new ExecutorConfig(GridNames.AUTHORITY_WRITES, AUTHORITY_WRITERS)
            .setQueueCapacity(AUTHORITY_WRITES_WAITING));
  }
}
