package io.tollgrid.node.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.mapstore.database.PostgresAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Witnesses the embedded half of "settings are part of exactness" (architecture §4) and R42: a
 * directory that is unsafe to use is refused before anything starts.
 */
@Tag("slow")
class EmbeddedDatabaseTest {
  @TempDir private Path dir;

  @Test
  void commitsAreDurableAndOutliveARestart() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(dir, 0)) {
      for (final String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
        assertThat(single(database.address(), "SHOW " + setting)).as(setting).isEqualTo("on");
      }
      assertThat(single(database.address(), "SHOW listen_addresses")).isEqualTo("127.0.0.1");
      execute(database.address(), "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (42)");
      assertThatThrownBy(() -> EmbeddedDatabase.start(dir, 0))
          .isInstanceOf(DataDirectoryException.class)
          .hasMessageContaining("in use by another Tollgrid process")
          .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    try (EmbeddedDatabase database = EmbeddedDatabase.start(dir, 0)) {
      assertThat(single(database.address(), "SELECT n FROM kept")).isEqualTo("42");
      nobodyConnectsWithoutThePassword(database.address());
      onlyTheOwnerReadsThePassword();
    }
  }

  private static void nobodyConnectsWithoutThePassword(PostgresAddress address) {
    assertThatThrownBy(
            () -> DriverManager.getConnection(address.jdbcUrl(), address.user(), "guess"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password");
    assertThat(address.toString()).doesNotContain(address.password());
  }

  private void onlyTheOwnerReadsThePassword() throws IOException {
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(dir.resolve("postgres.password"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aServerThatOutlivedItsProcessIsStoppedAndItsDataKept() throws Exception {
    final Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                AbandonedOwner.class.getName(),
                dir.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said = owner.inputReader(UTF_8)) {
      assertThat(said.lines().anyMatch("kept"::equals)).isTrue();
    } finally {
      owner.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
    final long orphan = pid();
    assertThat(ProcessHandle.of(orphan)).isPresent();

    try (EmbeddedDatabase database = EmbeddedDatabase.start(dir, 0)) {
      assertThat(single(database.address(), "SELECT n FROM kept")).isEqualTo("7");
      assertThat(pid()).isNotEqualTo(orphan);
      assertThat(ProcessHandle.of(orphan).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    }
  }

  @Test
  void aNoteThatNamesAnotherProgramIsNoServer() throws Exception {
    EmbeddedDatabase.start(dir, 0).close();
    final Process other = new ProcessBuilder("sleep", "600").start();
    try {
      Files.writeString(dir.resolve("postgres/postmaster.pid"), other.pid() + "\n" + dir + "\n");

      EmbeddedDatabase.start(dir, 0).close();

      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroy();
      other.waitFor(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void filesOfAnotherMajorVersionAreRefused() throws Exception {
    Files.createDirectories(dir.resolve("postgres"));
    Files.writeString(dir.resolve("postgres/PG_VERSION"), "9\n");
    Files.writeString(dir.resolve("postgres.ready"), "");

    assertThatThrownBy(() -> EmbeddedDatabase.start(dir, 0))
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("written by PostgreSQL 9")
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  @Test
  void filesOfAFirstStartThatDidNotFinishAreRefused() throws Exception {
    Files.createDirectories(dir.resolve("postgres"));
    Files.writeString(dir.resolve("postgres/postgresql.conf"), "");

    assertThatThrownBy(() -> EmbeddedDatabase.start(dir, 0))
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("did not finish");
    // A refusal gives the directory up.
    assertThatThrownBy(() -> EmbeddedDatabase.start(dir, 0)).hasMessageContaining("did not finish");
  }

  private long pid() throws IOException {
    return Long.parseLong(Files.readAllLines(dir.resolve("postgres/postmaster.pid")).get(0));
  }

  private static Connection connect(PostgresAddress address) throws SQLException {
    return DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
  }

  private static void execute(PostgresAddress address, String... statements) throws SQLException {
    try (Connection connection = connect(address);
        Statement statement = connection.createStatement()) {
      for (final String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String single(PostgresAddress address, String query) throws SQLException {
    try (Connection connection = connect(address);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
