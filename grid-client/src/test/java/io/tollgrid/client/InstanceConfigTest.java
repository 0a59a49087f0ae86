package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.client.config.ConfigException;
import io.tollgrid.client.config.EffectiveConfig;
import io.tollgrid.client.config.Key;
import io.tollgrid.ledger.Id128;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Witnesses R42 (unsafe configuration never becomes authoritative) and R57 (skew, tick and flush
 * fit into the margin) for what a service embeds.
 */
class InstanceConfigTest {
  private static final String ADA = "a".repeat(Id128.HEX_DIGITS);
  private static final String BOB = "b".repeat(Id128.HEX_DIGITS);

  /** A value of every key that is not its default, as YAML has it. */
  private static final String OTHERWISE =
      """
      cluster:
        name: other
        mode: lite
        addresses: [10.0.0.1:5701, 10.0.0.2:5701]
        connectTimeout: 3s
        heartbeatInterval: 2s
        heartbeatTimeout: 8s
        callTimeout: 7s
        interface: 127.0.0.2
        port: 5711
        partitions: 1019
      leases:
        ttl: 30s
        margin: 4s
        maxSkew: 400ms
        coarseTick: 10ms
        flushTime: 2s
        target: 3s
        minimumQuotes: 8
        shrink: 3
        lowWaterShare: 5
        idle: 0ms
        recallPoll: 60ms
        firstBackoff: 20ms
        maxBackoff: 300ms
        backstop: 900ms
        hold: 400ms
        notAfter: 9s
      usage:
        linger: 3ms
        batchEvents: 100
        credits: 1000
        lanes: 2
        slotsPerLane: 512
      policies:
        tracked: [%s, %s]
        refresh: 10s
        staleAfter: 40s
        retireAfter: 0ms
        firstBackoff: 60ms
        maxBackoff: 4s
        unknownTtl: 6s
        revokedTtl: 30s
        maxNegatives: 100
        maxForgotten: 200
      shutdown:
        timeout: 5s
      """
          .formatted(ADA, BOB);

  @TempDir private Path dir;

  @Test
  void everyKeyHasADefaultWhichIsTheProducts() {
    final InstanceConfig config = InstanceConfig.builder().build();

    assertThat(config).isEqualTo(InstanceConfig.explained(null, Map.of()).config());
    assertThat(config.settings()).isEqualTo(InstanceSettings.DEFAULTS);
    assertThat(config.cluster().mode()).isEqualTo(InstanceConfig.Mode.CLIENT);
    assertThat(config.cluster().terms().members()).containsExactly("127.0.0.1:5701");
    assertThat(config.maxSkew()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void everyKeyIsListedOnceAndSaysWhatItMeans() {
    final long declared =
        Arrays.stream(InstanceKeys.class.getDeclaredFields())
            .filter(field -> field.getType() == Key.class)
            .count();

    // Those declared elsewhere: seven of the cluster, four of the margin, and the shutdown's.
    assertThat(InstanceKeys.ALL).doesNotHaveDuplicates().hasSize((int) declared + 7 + 4 + 1);
    assertThat(InstanceKeys.ALL).extracting(Key::variable).doesNotHaveDuplicates();
    assertThat(InstanceKeys.ALL).allSatisfy(key -> assertThat(key.meaning()).isNotBlank());
  }

  @Test
  void everyKeyArrivesAlikeFromTheFileTheEnvironmentAndTheBuilder() {
    final EffectiveConfig<InstanceConfig> fromFile = load(OTHERWISE, Map.of());
    final Map<String, String> environment = new HashMap<>();
    final InstanceConfig.Builder builder = InstanceConfig.builder();
    fromFile
        .settings()
        .forEach(
            setting -> {
              final String text = setting.value().replaceAll("[\\[\\] ]", "");
              environment.put(setting.variable(), text);
              builder.set(setting.key(), text);
            });

    final EffectiveConfig<InstanceConfig> byDefault = InstanceConfig.explained(null, Map.of());
    for (int i = 0; i < byDefault.settings().size(); i++) {
      final EffectiveConfig.Setting stated = fromFile.settings().get(i);
      assertThat(stated.value()).as(stated.key()).isNotEqualTo(byDefault.settings().get(i).value());
      assertThat(stated.origin()).startsWith(dir.resolve("service.yaml") + ", line ");
    }
    assertThat(InstanceConfig.explained(null, environment).config()).isEqualTo(fromFile.config());
    assertThat(builder.build()).isEqualTo(fromFile.config());
    assertThat(fromFile.config().settings().policies().tracked())
        .isEqualTo(new Tracked.Fixed(Set.of(Id128.parse(ADA), Id128.parse(BOB))));
  }

  @Test
  void theEnvironmentWinsAndIsExplained() {
    final EffectiveConfig<InstanceConfig> config =
        load(
            "leases: {ttl: 30s}\nusage: {lanes: 2}\n",
            Map.of(
                "TOLLGRID_LEASES_TTL", "20s",
                "TOLLGRID_POLICIES_TRACKED", "all",
                "TOLLGRID_JAVA_OPTS", "-Xmx1g",
                "TOLLGRID_SERVICE_HOST", "10.0.0.1",
                "PATH", "/bin"));

    assertThat(config.config().settings().leases().ttlNanos())
        .isEqualTo(Duration.ofSeconds(20).toNanos());
    assertThat(config.config().settings().usage().lanes()).isEqualTo(2);
    assertThat(config.explain())
        .contains("leases.ttl = 20s" + System.lineSeparator() + "    from TOLLGRID_LEASES_TTL")
        .contains("usage.lanes = 2" + System.lineSeparator() + "    from " + dir)
        .contains("from default; TOLLGRID_USAGE_LINGER; how long a usage event waits");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "leasse: {ttl: 30s}                      | leasse             | did you mean leases.ttl?",
        "leases: {tll: 30s}                      | leases.tll         | did you mean leases.ttl?",
        "database: {url: x}                      | database           | no such setting",
        "leases: {ttl: 30}                       | leases.ttl         | must be a text",
        "leases: {ttl: '30'}                     | leases.ttl         | duration with a unit",
        "leases: {ttl: 1.5s}                     | leases.ttl         | duration with a unit",
        "leases: {ttl: 11m}                      | leases.ttl         | between 1s and 10m",
        "leases: {ttl: }                         | leases.ttl         | has no value",
        "leases: 5                               | leases             | must be a map",
        "leases: {shrink: '2'}                   | leases.shrink      | whole number",
        "leases: {shrink: 0}                     | leases.shrink      | between 1 and 1000",
        "leases: {ttl: 5s}                       | leases.margin      | lie between 0 and the ttl",
        "leases: {margin: 1s}                    | leases.margin      | leases.maxSkew + leases.coarseTick + leases.flushTime = 1550ms (R57)",
        "leases: {flushTime: 5s}                 | leases.margin      | R57",
        "leases: {maxBackoff: 5ms}               | leases.maxBackoff  | at least the first backoff",
        "leases: {backstop: 100ms}               | leases.backstop    | at least the max backoff",
        "leases: {backstop: 2s}                  | leases.backstop    | between 1ms and 1s",
        "usage: {batchEvents: 1000000}           | usage.batchEvents  | between 1 and",
        "usage: {lanes: 0}                       | usage.lanes        | between 1 and 256",
        "policies: {tracked: [x]}                | policies.tracked   | 32 lowercase hexadecimal digits",
        "policies: {tracked: none}               | policies.tracked   | all or a list",
        "policies: {tracked: 5}                  | policies.tracked   | must be a list",
        "policies: {refresh: 4m}                 | policies.staleAfter | twice the refresh interval",
        "policies: {maxBackoff: 31s}             | policies.maxBackoff | refresh interval",
        "cluster: {mode: server}                 | cluster.mode       | must be client or lite",
        "cluster: {mode: CLIENT}                 | cluster.mode       | must be client or lite",
        "cluster: {addresses: []}                | cluster.addresses  | at least one member",
        "cluster: {addresses: [a]}               | cluster.addresses  | host:port",
        "cluster: {addresses: ['a:1', 'a:1']}    | cluster.addresses  | twice",
        "cluster: {interface: 0.0.0.0}           | cluster.interface  | not all interfaces",
        "cluster: {heartbeatInterval: 2s}        | cluster.heartbeatTimeout | three times",
        "cluster: {heartbeatTimeout: 5500ms}     | cluster.heartbeatTimeout | whole seconds",
        "cluster: {name: ' a'}                   | cluster.name       | surrounding blanks",
        "shutdown: {timeout: 0s}                 | shutdown.timeout   | between 1s and 10m",
      })
  void aBadKeyIsNamed(String yaml, String key, String problem) {
    assertThatThrownBy(() -> load(yaml, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(key + ": ")
        .hasMessageContaining(problem)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  @Test
  void aValueThatCannotBeReadIsNamedWithItsFileAndLine() {
    assertThatThrownBy(() -> load("usage:\n  lanes: many\n", Map.of()))
        .hasMessage(
            "usage.lanes: must be a whole number, not \"many\" ("
                + dir.resolve("service.yaml")
                + ", line 2)");
    assertThatThrownBy(() -> InstanceConfig.load(dir.resolve("none.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("there is no configuration file");
  }

  @Test
  void anUnknownVariableIsRefusedWithTheNearestName() {
    assertThatThrownBy(() -> InstanceConfig.explained(null, Map.of("TOLLGRID_LEASE_TTL", "1s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("TOLLGRID_LEASE_TTL")
        .hasMessageContaining("did you mean TOLLGRID_LEASES_TTL?");
  }

  @Test
  void theBuilderStatesAndRefusesLikeTheFile() {
    final InstanceConfig built =
        InstanceConfig.builder()
            .clusterName("other")
            .addresses("10.0.0.1:5701")
            .mode(InstanceConfig.Mode.LITE)
            .connectTimeout(Duration.ofSeconds(2))
            .leases(Duration.ofSeconds(30), Duration.ofSeconds(3))
            .tracked(Id128.parse(ADA))
            .shutdownTimeout(Duration.ofSeconds(5))
            .build();

    assertThat(built)
        .isEqualTo(
            load(
                    """
                    cluster: {name: other, addresses: [10.0.0.1:5701], mode: lite, connectTimeout: 2s}
                    leases: {ttl: 30s, margin: 3s}
                    policies: {tracked: [%s]}
                    shutdown: {timeout: 5s}
                    """
                        .formatted(ADA),
                    Map.of())
                .config());
    final InstanceConfig.Builder builder = InstanceConfig.builder();
    assertThatThrownBy(() -> builder.connectTimeout(Duration.ofMillis(1)))
        .hasMessageStartingWith("cluster.connectTimeout: must be between 1s and 10m");
    assertThatThrownBy(() -> builder.connectTimeout(Duration.ofSeconds(2).plusNanos(1)))
        .hasMessageStartingWith("cluster.connectTimeout: must be whole milliseconds");
    assertThatThrownBy(() -> builder.clusterName(" "))
        .hasMessageStartingWith("cluster.name: must be a text");
    assertThatThrownBy(() -> builder.set("leases.tll", "1s"))
        .hasMessageContaining("did you mean leases.ttl?")
        .hasMessageContaining("the builder");
  }

  /** The page shows every key with its default, and what it shows is a configuration. */
  @Test
  void thePageOfTheServiceShowsEveryKeyWithItsDefault() throws IOException {
    final String page =
        Files.readString(
            Path.of(System.getProperty("tollgrid.repository", "..")).resolve("docs/embedding.md"));
    final String yaml =
        page.substring(
            page.indexOf("```yaml\n") + 8, page.indexOf("\n```", page.indexOf("```yaml")));

    final EffectiveConfig<InstanceConfig> shown = load(yaml, Map.of());

    final List<String> lines = yaml.lines().toList();
    for (final EffectiveConfig.Setting setting : shown.settings()) {
      assertThat(setting.origin()).as(setting.key()).contains(", line ");
      final int line = Integer.parseInt(setting.origin().replaceAll(".* ", ""));
      assertThat(lines.get(line - 1)).as(setting.key()).endsWith("# " + setting.meaning());
    }
    assertThat(shown.config()).isEqualTo(InstanceConfig.builder().build());
  }

  private EffectiveConfig<InstanceConfig> load(String yaml, Map<String, String> environment) {
    try {
      return InstanceConfig.explained(
          Files.writeString(dir.resolve("service.yaml"), yaml), environment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
