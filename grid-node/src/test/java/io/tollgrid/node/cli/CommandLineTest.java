package io.tollgrid.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.client.config.Stated;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.config.ConfigLoader;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.node.local.FreePorts;
import io.tollgrid.node.postgres.EmbeddedDatabase;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Witnesses the contract of the command line (interfaces §4): what goes where and how it ends; and,
 * with {@code verify}, that a stored row altered by hand is found and its account named (R7, R10).
 */
class CommandLineTest {
  @TempDir private Path dir;

  /** What a command said and how it ended. */
  private record Ended(int code, String out, String err) {}

  @Test
  void verifyAgreesWithWhatANodeWroteAndNamesTheAccountOfAnAlteredRow() throws Exception {
    final Id128 account;
    try (TollgridNode node = TollgridNode.start(config())) {
      Eventually.until("ready", Duration.ofMinutes(2), node::ready);
      try (LedgerClient client = node.newLedgerClient("test")) {
        final LedgerTalk talk = new LedgerTalk(client);
        account = talk.account(1_000);
        talk.release(account, talk.acquire(account, 100));
      }
      // A live system: the node owns the directory, and its server is used as it runs.
      assertThat(run("verify", "--data", dir.toString()).code()).isEqualTo(ExitCode.GOOD);
    }

    final Ended good = run("verify", "--data", dir.toString());
    assertThat(good).isEqualTo(new Ended(ExitCode.GOOD, good.out(), ""));
    assertThat(good.out()).contains("1 accounts and 4 journal entries verified");

    try (EmbeddedDatabase database = EmbeddedDatabase.start(dir, 0)) {
      alter(database.address(), account);
    }
    final Ended bad = run("verify", "--data", dir.toString());
    assertThat(bad.code()).isEqualTo(ExitCode.CHECK_FAILED);
    assertThat(bad.out()).contains("account " + account.toHex());
    final Ended json = run("verify", "--json", "--data", dir.toString());
    assertThat(json.code()).isEqualTo(ExitCode.CHECK_FAILED);
    assertThat(json.out()).startsWith("{\"clean\":false").contains(account.toHex());
  }

  /** Balanced, so that no CHECK of the database sees it. */
  private static void alter(PostgresAddress address, Id128 account) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
        Statement statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "UPDATE account SET deposited = deposited + 5, top_up = top_up + 5 WHERE id = '"
                      + account.toUuid()
                      + "'"))
          .isEqualTo(1);
    }
  }

  private NodeConfig config() {
    return ConfigLoader.load(
            null,
            Map.of(),
            List.of(
                new Stated("database.dataDir", dir.toString(), "test"),
                new Stated("cluster.name", "cli-" + dir.getFileName(), "test"),
                new Stated("cluster.port", FreePorts.take(1).get(0).toString(), "test"),
                new Stated("http.port", "0", "test")),
            dir)
        .config();
  }

  @Test
  void badInputIsOneLineAndTwo() throws Exception {
    final Path bad = Files.writeString(dir.resolve("bad.yaml"), "cluster: {prot: 1}\n");
    Files.writeString(dir.resolve("good.yaml"), "database: {dataDir: x}\n");

    assertRefused(run(), "a command is missing");
    assertRefused(run("frobnicate"), "frobnicate");
    assertRefused(run("up"), "--config");
    assertRefused(run("up", "--config", bad.toString()), "did you mean cluster.port?");
    assertRefused(run("up", "--config", bad.toString(), "--data", "x"), "--data");
    assertRefused(run("verify"), "--url");
    assertRefused(run("doctor", "--data", "x"), "--data");
    assertRefused(run("verify", "--data", dir.resolve("none").toString()), "no Tollgrid data");
    assertRefused(run("verify", "--url", "jdbc:mysql://x/y"), "jdbc:postgresql:");
    assertRefused(run("verify", "--url", "jdbc:postgresql://127.0.0.1:1/x"), "PostgreSQL");
    assertThat(Files.exists(dir.resolve("none"))).isFalse();
  }

  @Test
  void configSaysWhatIsInForceAndWhy() throws Exception {
    final Path file =
        Files.writeString(
            dir.resolve("tollgrid.yaml"), "database: {dataDir: x}\nhttp: {port: 99}\n");

    final Ended explained = run("config", "--explain", "--config", file.toString());

    assertThat(explained.code()).isEqualTo(ExitCode.GOOD);
    assertThat(explained.err()).isEmpty();
    assertThat(explained.out()).contains("http.port = 99").contains("from " + file);
    assertThat(run("config", "--config", file.toString())).isEqualTo(new Ended(0, "", ""));
  }

  @Test
  void helpAndVersionAreResults() {
    assertThat(run("--help").out()).contains("up").contains("verify").contains("doctor");
    assertThat(run("--version").out()).startsWith("tollgrid ");
    assertThat(run("help", "up").out()).contains("75");
  }

  private static void assertRefused(Ended ended, String saying) {
    assertThat(ended.code()).as(ended.toString()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).startsWith("tollgrid: ").contains(saying);
    assertThat(ended.err().lines()).hasSize(1);
  }

  private static Ended run(String... args) {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final CommandLine command =
        TollgridCli.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    final int code = command.execute(args);
    return new Ended(code, out.toString(), err.toString());
  }
}
