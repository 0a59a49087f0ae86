package io.tollgrid.mapstore.testing;

import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.mapstore.schema.LedgerSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A database of its own for one test class, with fsync, synchronous_commit and full_page_writes on.
 *
 * <p>Made on a server that all tests of the JVM share, or on one the test brings. Closing it drops
 * the database.
 */
public final class TestPostgres implements AutoCloseable {
  /** Ledger partitions of a database made by {@link #migrated}. */
  public static final int PARTITIONS = 271;

  /** Where the migration is that makes the database itself check lease sums at every commit. */
  public static final String LEASE_SUMS = "classpath:db/test";

  private static final Duration REQUEST_ID_HORIZON = Duration.ofDays(62);

  private final TestServer server;
  private final String name;

  private TestPostgres(TestServer server, String name) {
    this.server = server;
    this.name = name;
  }

  /** An empty database: for whoever migrates it as part of the test. */
  public static TestPostgres empty() {
    return on(TestServer.shared());
  }

  /** An empty database on a given server. */
  public static TestPostgres on(TestServer server) {
    return create(server, "");
  }

  private static TestPostgres create(TestServer server, String like) {
    final String name = "tollgrid_" + UUID.randomUUID().toString().replace("-", "");
    try {
      server.administer("CREATE DATABASE " + name + like);
      final TestPostgres database = new TestPostgres(server, name);
      requireDurable(database);
      return database;
    } catch (SQLException e) {
      throw new IllegalStateException("no database for the test", e);
    }
  }

  /**
   * A database with the whole schema, {@value #PARTITIONS} partitions and the lease-sum triggers.
   */
  public static TestPostgres migrated() {
    return empty().migrate();
  }

  /** Migrates this database as {@link #migrated} does. */
  public TestPostgres migrate() {
    try (LedgerDataSources sources = dataSources()) {
      new LedgerSchema(sources.control()).with(LEASE_SUMS).prepare(PARTITIONS, REQUEST_ID_HORIZON);
    } catch (SQLException e) {
      throw new IllegalStateException("the schema could not be made", e);
    }
    return this;
  }

  /** Where it is. */
  public PostgresAddress address() {
    return new PostgresAddress(server.url(name), server.user(), server.password());
  }

  /** Its JDBC URL, without role and password. */
  public String jdbcUrl() {
    return server.url(name);
  }

  /** The role that owns it. */
  public String user() {
    return server.user();
  }

  /** The role's password, possibly empty. */
  public String password() {
    return server.password();
  }

  /** Pools of the product's kind; the caller closes them. */
  public LedgerDataSources dataSources() {
    return LedgerDataSources.open(address(), LedgerDataSources.Sizes.DEFAULTS);
  }

  /** A plain connection with auto-commit, beside all pools. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), user(), password());
  }

  /** Runs statements, each in its own transaction. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (final String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The first column of every row, as text. */
  public List<String> query(String sql) throws SQLException {
    final List<String> values = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  /** The first column of the only row, as a number. */
  public long number(String sql) throws SQLException {
    return Long.parseLong(query(sql).get(0));
  }

  /** Drops the database, whoever is connected, unless its server goes with the tests anyway. */
  @Override
  public void close() {
    if (!server.outlivesTests()) {
      return;
    }
    try {
      server.administer("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    } catch (SQLException e) {
      throw new IllegalStateException("the test's database could not be dropped", e);
    }
  }

  private static void requireDurable(TestPostgres database) throws SQLException {
    for (final String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
      if (!database.query("SHOW " + setting).equals(List.of("on"))) {
        throw new IllegalStateException("a test needs " + setting + " on");
      }
    }
  }
}
