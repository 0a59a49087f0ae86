package io.tollgrid.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.client.config.ConfigException;
import io.tollgrid.client.config.EffectiveConfig;
import io.tollgrid.client.config.Key;
import io.tollgrid.client.config.Stated;
import io.tollgrid.ledger.LedgerLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Witnesses R42 (unsafe configuration never becomes authoritative) for the node's own file. */
class ConfigLoaderTest {
  private static final String EMBEDDED = "database: {dataDir: data}\n";
  private static final String SERVER =
      """
      database: {url: "jdbc:postgresql://db:5432/tollgrid", user: tollgrid}
      operator: {keyFile: /etc/tollgrid/operator.key}
      """;

  @TempDir private Path dir;

  @Test
  void everyKeyHasADefaultButTheDatabase() {
    final NodeConfig config = load(EMBEDDED).config();

    assertThat(config.ledger().limits()).isEqualTo(LedgerLimits.DEFAULTS);
    assertThat(config.cluster().partitions()).isEqualTo(1_009);
    assertThat(config.cluster().majority()).isEqualTo(1);
    assertThat(config.database().location())
        .isEqualTo(new DatabaseLocation.Embedded(dir.resolve("data"), 0));
    assertThat(config.operatorKeyFile()).isEqualTo(dir.resolve("data/operator.key"));
    assertThat(config.http().address()).isEqualTo("127.0.0.1");
  }

  @Test
  void theEnvironmentWinsOverTheFileAndTheCommandLineOverBoth() {
    final Path file = write(EMBEDDED + "http: {port: 1}\ncluster: {port: 2, name: a}\n");

    final EffectiveConfig<NodeConfig> config =
        ConfigLoader.load(
            file,
            Map.of("TOLLGRID_HTTP_PORT", "11", "TOLLGRID_CLUSTER_PORT", "12"),
            List.of(new Stated("http.port", "21", "--http-port")),
            dir);

    assertThat(config.config().http().port()).isEqualTo(21);
    assertThat(config.config().cluster().member().port()).isEqualTo(12);
    assertThat(config.config().cluster().name()).isEqualTo("a");
    assertThat(config.explain())
        .contains("http.port = 21")
        .contains("from --http-port; TOLLGRID_HTTP_PORT")
        .contains("from TOLLGRID_CLUSTER_PORT")
        .contains("cluster.name = a" + System.lineSeparator() + "    from " + file + ", line 3")
        .contains("from default; TOLLGRID_CLUSTER_EXPECTED_MEMBERS");
  }

  @Test
  void everyKeyCanBeSetFromTheEnvironmentAndIsExplained() {
    assertThat(Keys.ALL).extracting(Key::variable).doesNotHaveDuplicates();
    assertThat(load(EMBEDDED).settings()).hasSameSizeAs(Keys.ALL);
    for (final Key<?> key : Keys.ALL) {
      roundTrips(key);
    }
  }

  private <T> void roundTrips(Key<T> key) {
    if (key.fallback() == null || key.fallback() instanceof List) {
      return;
    }
    final String shown = key.type().show(key.fallback());
    assertThat(key.type().fromText(shown, dir)).as(key.path()).isEqualTo(key.fallback());
  }

  @Test
  void everyFieldOfDeclaredKeysIsListed() {
    final long declared =
        java.util.Arrays.stream(Keys.class.getDeclaredFields())
            .filter(field -> field.getType() == Key.class)
            .count();

    assertThat(declared).isEqualTo(Keys.ALL.size());
  }

  @Test
  void launcherVariablesAndServiceLinksAreNoSettings() {
    final EffectiveConfig<NodeConfig> config =
        ConfigLoader.load(
            write(EMBEDDED),
            Map.of(
                "TOLLGRID_JAVA_OPTS", "-Xmx1g",
                "TOLLGRID_SERVICE_HOST", "10.0.0.1",
                "TOLLGRID_NODE_PORT_5701_TCP_ADDR", "10.0.0.1",
                "PATH", "/bin"),
            List.of(),
            dir);

    assertThat(config.config().cluster().member().port()).isEqualTo(5_701);
  }

  @Test
  void anUnknownVariableIsRefusedWithTheNearestName() {
    assertThatThrownBy(
            () ->
                ConfigLoader.load(
                    write(EMBEDDED), Map.of("TOLLGRID_HTTP_PROT", "1"), List.of(), dir))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("TOLLGRID_HTTP_PROT")
        .hasMessageContaining("did you mean TOLLGRID_HTTP_PORT?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "clutser: {name: a}                            | clutser         | did you mean"
            + " cluster.name?",
        "cluster: {expectedMember: 3}                  | cluster.expectedMember | did you mean"
            + " cluster.expectedMembers?",
        "database: {password: x}                       | database.password | did you mean"
            + " database.passwordFile?",
        "cluster: {port: '5701'}                       | cluster.port    | whole number",
        "cluster: {port: 5701.0}                       | cluster.port    | whole number",
        "cluster: {port: 70000}                        | cluster.port    | between 1 and 65535",
        "cluster: {port: 99999999999999999999}         | cluster.port    | between 1 and 65535",
        "cluster: {partitions: 271}                    | cluster.partitions | between 1009",
        "cluster: {name: ' a'}                         | cluster.name    | surrounding blanks",
        "cluster: {name: 5}                            | cluster.name    | must be a text",
        "cluster: {name: null}                         | cluster.name    | has no value",
        "cluster: 5                                    | cluster         | must be a map",
        "cluster: {members: a:1}                       | cluster.members | must be a list",
        "cluster: {members: [a]}                       | cluster.members | host:port",
        "cluster: {unrestrictedClients: [a.invalid]}   | cluster.unrestrictedClients | a.invalid",
        "cluster: {members: ['a:1', 'a:1']}            | cluster.members | twice",
        "cluster: {interface: 0.0.0.0}                 | cluster.interface | not all interfaces",
        "cluster: {interface: '::'}                    | cluster.interface | not all interfaces",
        "cluster: {heartbeatInterval: 2s}              | cluster.heartbeatTimeout | three times",
        "cluster: {heartbeatTimeout: 5500ms}           | cluster.heartbeatTimeout | whole seconds",
        "http: {plaintextProbes: yes}                  | http.plaintextProbes | true or false",
        "http: {address: 0.0.0.0}                      | http.address    | R45",
        "http: {address: 192.0.2.1}                    | http.address    | R45",
        "http: {certificateFile: a.pem}                | http.privateKeyFile | is missing",
        "http: {privateKeyFile: a.pem}                 | http.certificateFile | is missing",
        "ledger: {grace: 15}                           | ledger.grace    | must be a text",
        "ledger: {grace: '15'}                         | ledger.grace    | duration with a unit",
        "ledger: {grace: 1.5s}                         | ledger.grace    | duration with a unit",
        "ledger: {grace: 999999999999999d}             | ledger.grace    | duration",
        "ledger: {margin: 1s}                          | ledger.margin   | R57",
        "ledger: {maxLeaseTtl: 4s}                     | ledger.maxLeaseTtl | longer than"
            + " ledger.margin",
        "fences: {cpResetAfter: 5s, leaderHeartbeat: 5s} | fences.cpResetAfter | election",
        "fences: {cpAutoRemoval: 10m}                  | fences.cpAutoRemoval | between 5s and 2m",
        "shutdown: {timeout: 0s}                       | shutdown.timeout | between",
      })
  void aBadKeyIsNamed(String yaml, String key, String problem) {
    assertRefused(EMBEDDED + yaml, key, problem, "database: {password");
  }

  private void assertRefused(String yaml, String key, String problem, String alone) {
    final String whole = yaml.contains(alone) ? "database: {dataDir: data, password: x}" : yaml;
    assertThatThrownBy(() -> load(whole))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(key + ":")
        .hasMessageContaining(problem)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  static List<List<String>> badDatabases() {
    final String keyFile = "operator: {keyFile: k}\n";
    return List.of(
        List.of("cluster: {name: a}", "database.url", "is missing"),
        List.of("database: {dataDir: d, url: 'jdbc:postgresql://h/d'}", "database.url", "keep one"),
        List.of("database: {dataDir: d, user: u}", "database.user", "embedded"),
        List.of("database: {dataDir: d, passwordFile: u}", "database.passwordFile", "embedded"),
        List.of(
            "database: {url: 'jdbc:mysql://h/d', user: u}", "database.url", "jdbc:postgresql://"),
        List.of("database: {url: 'jdbc:postgresql://h/d'}", "database.user", "is missing"),
        List.of(
            "database: {url: 'jdbc:postgresql://h/d?password=x', user: u}",
            "database.url",
            "credentials"),
        List.of(
            "database: {url: 'jdbc:postgresql://u:x@h/d', user: u}", "database.url", "credentials"),
        List.of("database: {url: 'jdbc:postgresql://h,i/d', user: u}", "database.url", "primary"),
        List.of(
            "database: {url: 'jdbc:postgresql://h/d', user: u, port: 1}", "database.port", "URL"),
        List.of(
            "database: {url: 'jdbc:postgresql://h/d', user: u}", "operator.keyFile", "is missing"),
        List.of(
            keyFile
                + "database: {url: 'jdbc:postgresql://h/d', user: u}\n"
                + "cluster: {expectedMembers: 3}",
            "cluster.members",
            "lists 0 members"),
        List.of(
            "database: {dataDir: d}\ncluster: {expectedMembers: 2, members: ['a:1', 'b:1']}",
            "database.dataDir",
            "one member"));
  }

  @ParameterizedTest
  @MethodSource("badDatabases")
  void aBadDatabaseIsNamed(List<String> row) {
    assertRefused(row.get(0), row.get(1), row.get(2), "never");
  }

  @Test
  void aFileThatIsNotYamlIsRefusedWithItsLine() {
    assertThatThrownBy(() -> load("cluster:\n  name: a\n  name: b\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("line 3");
    assertThatThrownBy(() -> load("- a\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("must be a map");
    assertThatThrownBy(() -> load(EMBEDDED + "---\ncluster: {name: b}\n"))
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> ConfigLoader.load(dir.resolve("none.yaml"), Map.of(), List.of(), dir))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("there is no configuration file");
  }

  @Test
  void aServerIsNamedByUrlUserAndPasswordFile() {
    final NodeConfig config =
        load(SERVER.replace("user: tollgrid", "user: tollgrid, passwordFile: secrets/pg")
                + "cluster: {expectedMembers: 3, members: ['a:1', 'b:1', 'c:1'], heartbeatTimeout:"
                + " 6s}\n")
            .config();

    assertThat(config.database().location())
        .isEqualTo(
            new DatabaseLocation.Server(
                "jdbc:postgresql://db:5432/tollgrid",
                "tollgrid",
                java.util.Optional.of(dir.resolve("secrets/pg"))));
    assertThat(config.cluster().majority()).isEqualTo(2);
    assertThat(config.cluster().member().heartbeatTimeout()).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void beyondLoopbackACertificateOrAnExplicitWordIsNeeded() {
    final String beyond = EMBEDDED + "http: {address: 0.0.0.0, ";

    assertThat(load(beyond + "certificateFile: c, privateKeyFile: k}").config().http().tls())
        .isPresent();
    assertThat(load(beyond + "plaintextProbes: true}").config().http().tls()).isEmpty();
  }

  private EffectiveConfig<NodeConfig> load(String yaml) {
    return ConfigLoader.load(write(yaml), Map.of(), List.of(), dir);
  }

  private Path write(String yaml) {
    try {
      return Files.writeString(dir.resolve("tollgrid.yaml"), yaml);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
