package io.tollgrid.mapstore.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tollgrid.mapstore.sql.ColumnType;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * The separate connections of a node: a burst of one kind of work cannot take another's.
 *
 * <p>All connections go to the primary, at READ COMMITTED, without auto-commit. A pool opens with
 * PostgreSQL away and fills when it comes back. Thread-safe.
 */
public final class LedgerDataSources implements AutoCloseable {
  /**
   * How many connections each kind of work may have.
   *
   * @param committers one per lane of the committer; the lanes open and keep them, no pool holds
   *     them
   * @param raises raises of fences
   * @param loads batched loads and row fetches
   * @param policies reads of instances that keep themselves current
   * @param sweeps reads of what is due
   * @param control reports, migrations, introductions and the control plane
   */
  public record Sizes(
      int committers, int raises, int loads, int policies, int sweeps, int control) {
    /** The defaults of the product. */
    public static final Sizes DEFAULTS = new Sizes(3, 2, 4, 2, 2, 4);

    /** What one node takes of the server's {@code max_connections}. */
    public int total() {
      return committers + raises + loads + policies + sweeps + control;
    }
  }

  private static final Duration ACQUIRE_AT_MOST = Duration.ofSeconds(1);
  private static final Duration VALIDATE_AT_MOST = Duration.ofMillis(500);
  private static final Duration CONNECT_AT_MOST = Duration.ofSeconds(2);
  private static final Duration REPORTS_ANSWER_WITHIN = Duration.ofMinutes(10);
  private static final Duration WORK_ANSWERS_WITHIN = Duration.ofSeconds(10);

  private final DataSource committers;
  private final HikariDataSource raises;
  private final HikariDataSource loads;
  private final HikariDataSource policies;
  private final HikariDataSource sweeps;
  private final HikariDataSource control;

  private LedgerDataSources(
      DataSource committers,
      HikariDataSource raises,
      HikariDataSource loads,
      HikariDataSource policies,
      HikariDataSource sweeps,
      HikariDataSource control) {
    this.committers = committers;
    this.raises = raises;
    this.loads = loads;
    this.policies = policies;
    this.sweeps = sweeps;
    this.control = control;
  }

  /** Pools with the product's session settings. */
  public static LedgerDataSources open(PostgresAddress address, Sizes sizes) {
    return open(address, sizes, SessionSettings.COMMITTER);
  }

  /** Pools with other settings for the committer's sessions. */
  public static LedgerDataSources open(
      PostgresAddress address, Sizes sizes, SessionSettings committerSession) {
    return new LedgerDataSources(
        new DirectConnections(
            address.jdbcUrl(),
            properties(address, "committers", WORK_ANSWERS_WITHIN),
            committerSession),
        pool(address, "raises", sizes.raises(), SessionSettings.RAISES, WORK_ANSWERS_WITHIN),
        pool(address, "loads", sizes.loads(), SessionSettings.LOADS, WORK_ANSWERS_WITHIN),
        pool(address, "policies", sizes.policies(), SessionSettings.LOADS, WORK_ANSWERS_WITHIN),
        pool(address, "sweeps", sizes.sweeps(), SessionSettings.LOADS, WORK_ANSWERS_WITHIN),
        pool(address, "control", sizes.control(), SessionSettings.CONTROL, REPORTS_ANSWER_WITHIN));
  }

  /** Lanes of the committer: each opens one connection and keeps it, so there is no pool. */
  public DataSource committers() {
    return committers;
  }

  /** Raises of fences. */
  public DataSource raises() {
    return raises;
  }

  /** Loads and row fetches. */
  public DataSource loads() {
    return loads;
  }

  /** Reads of policies. */
  public DataSource policies() {
    return policies;
  }

  /** Reads of what is due. */
  public DataSource sweeps() {
    return sweeps;
  }

  /** Reports, migrations, introductions and the control plane. */
  public DataSource control() {
    return control;
  }

  /** Closes all connections that are not in use, and the others when they are returned. */
  @Override
  public void close() {
    List.of(raises, loads, policies, sweeps, control).forEach(HikariDataSource::close);
  }

  private static HikariDataSource pool(
      PostgresAddress address,
      String name,
      int size,
      SessionSettings session,
      Duration answersWithin) {
    final HikariConfig config = new HikariConfig();
    config.setPoolName("tollgrid-" + name);
    config.setJdbcUrl(address.jdbcUrl());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(Math.min(size, 1));
    config.setAutoCommit(false);
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionTimeout(ACQUIRE_AT_MOST.toMillis());
    config.setValidationTimeout(VALIDATE_AT_MOST.toMillis());
    config.setInitializationFailTimeout(-1);
    config.setConnectionInitSql(session.sql());
    // Else the settings would be part of a transaction nobody commits.
    config.setIsolateInternalQueries(true);
    config.setDataSourceProperties(properties(address, name, answersWithin));
    return new HikariDataSource(config);
  }

  private static Properties properties(
      PostgresAddress address, String name, Duration answersWithin) {
    final Properties properties = new Properties();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("ApplicationName", "tollgrid-" + name);
    properties.setProperty("targetServerType", "primary");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", Long.toString(CONNECT_AT_MOST.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(answersWithin.toSeconds()));
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("binaryTransferEnable", ColumnType.binaryTransferEnable());
    return properties;
  }
}
