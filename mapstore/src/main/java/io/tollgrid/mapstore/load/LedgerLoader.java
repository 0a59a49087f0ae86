package io.tollgrid.mapstore.load;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.mapstore.lane.Line;
import io.tollgrid.mapstore.lane.RecurringFaults;
import io.tollgrid.mapstore.lane.Ticket;
import io.tollgrid.mapstore.sql.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads ledgers, all that wait for one in the same query.
 *
 * <p>It knows nothing of ownership: whoever wants to trust what it loads reads the fence it holds
 * <em>before</em> it asks. Thread-safe; callers wait uninterruptibly and are turned away at once
 * with {@link LedgerCode#UNAVAILABLE} when the line is too long or too old.
 */
public final class LedgerLoader implements AutoCloseable {
  /**
   * The bounds of a loader.
   *
   * @param lanes threads that query, 1 or more
   * @param maxBatch accounts in one query, 1 or more
   * @param maxWaiting callers waiting or being served, 1 or more
   * @param maxAgeNanos age of the oldest of them beyond which callers are turned away
   */
  public record Settings(int lanes, int maxBatch, int maxWaiting, long maxAgeNanos) {
    /** The defaults of the product. */
    public static final Settings DEFAULTS =
        new Settings(2, 64, 4_096, Duration.ofSeconds(3).toNanos());

    /** Refuses bounds that bound nothing. */
    public Settings {
      if (lanes < 1 || maxBatch < 1 || maxWaiting < 1 || maxAgeNanos < 1) {
        throw new IllegalArgumentException("a loader setting is out of range");
      }
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(LedgerLoader.class);
  private static final long JOIN_SECONDS = 15;

  private final DataSource connections;
  private final Settings settings;
  private final MeterRegistry registry;
  private final Line<Id128, LoadOutcome> line;
  private final List<Thread> lanes = new ArrayList<>();
  private final DistributionSummary batchSize;
  private final Timer batchTime;
  private final Counter corrupt;
  private final RecurringFaults faults;

  /** A loader that reads through {@code connections}; not yet started. */
  public LedgerLoader(DataSource connections, Settings settings, MeterRegistry registry) {
    this.connections = connections;
    this.settings = settings;
    this.registry = registry;
    this.faults = new RecurringFaults(registry.config().clock()::monotonicTime);
    this.line =
        new Line<>(
            settings.maxWaiting(),
            settings.maxAgeNanos(),
            registry.config().clock(),
            reason -> unavailable("the loader cannot take more: " + reason, null),
            id -> id,
            id -> 1);
    this.batchSize =
        DistributionSummary.builder("tollgrid.loader.batch.size")
            .description("Accounts asked for in one query")
            .register(registry);
    this.batchTime =
        Timer.builder("tollgrid.loader.batch")
            .description("One query of a batch of accounts")
            .register(registry);
    this.corrupt =
        Counter.builder("tollgrid.loader.corrupt")
            .description("Loads of accounts whose stored numbers contradict each other")
            .register(registry);
    for (int i = 0; i < settings.lanes(); i++) {
      final Thread lane = new Thread(this::serve, "tollgrid-loader-" + i);
      lane.setDaemon(true);
      lanes.add(lane);
    }
  }

  /** Starts the lanes. */
  public void start() {
    lanes.forEach(Thread::start);
  }

  /** Loads one account together with whatever else waits. */
  public LoadOutcome load(Id128 account) {
    return line.ask(account);
  }

  /**
   * Loads several accounts in queries of their own, on the caller's thread.
   *
   * @return an outcome for each
   */
  public Map<Id128, LoadOutcome> loadAll(Collection<Id128> accounts) {
    final List<Id128> distinct = List.copyOf(new LinkedHashSet<>(accounts));
    final Map<Id128, LoadOutcome> outcomes = new HashMap<>();
    for (int from = 0; from < distinct.size(); from += settings.maxBatch()) {
      final int to = Math.min(distinct.size(), from + settings.maxBatch());
      outcomes.putAll(query(distinct.subList(from, to)));
    }
    return outcomes;
  }

  /** Reads one account on a connection of the caller's, inside its transaction. */
  public static LoadOutcome read(Statements statements, Id128 account) throws SQLException {
    return AccountRows.read(statements, List.of(account))
        .getOrDefault(account, new LoadOutcome.Absent());
  }

  /** Turns new callers away, serves those that wait, and ends the lanes. */
  @Override
  public void close() {
    line.close();
    try {
      for (final Thread lane : lanes) {
        if (lane.isAlive()) {
          lane.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve() {
    for (List<Ticket<Id128, LoadOutcome>> batch = line.take(settings.maxBatch());
        batch != null;
        batch = line.take(settings.maxBatch())) {
      final Map<Id128, LoadOutcome> outcomes = query(batch.stream().map(Ticket::question).toList());
      for (final Ticket<Id128, LoadOutcome> ticket : batch) {
        ticket.answer(outcomes.getOrDefault(ticket.question(), new LoadOutcome.Absent()));
      }
    }
  }

  private Map<Id128, LoadOutcome> query(List<Id128> ids) {
    final long sinceNanos = registry.config().clock().monotonicTime();
    Map<Id128, LoadOutcome> outcomes;
    try {
      outcomes = read(ids);
    } catch (SQLException e) {
      faults.came(
          "PostgreSQL",
          times ->
              LOG.warn(
                  "{} accounts could not be loaded, {} times since it was last told",
                  ids.size(),
                  times,
                  e));
      outcomes = failed(ids, unavailable("PostgreSQL does not answer", e));
    } catch (RuntimeException | Error e) {
      faults.came(
          e.getClass().getName(),
          times ->
              LOG.error(
                  "{} accounts could not be loaded, {} times since it was last told",
                  ids.size(),
                  times,
                  e));
      outcomes = failed(ids, unavailable("the loader failed", e));
    }
    batchSize.record(ids.size());
    batchTime.record(registry.config().clock().monotonicTime() - sinceNanos, TimeUnit.NANOSECONDS);
    return outcomes;
  }

  private Map<Id128, LoadOutcome> read(List<Id128> ids) throws SQLException {
    final Map<Id128, LoadOutcome> outcomes = new HashMap<>();
    try (Connection connection = connections.getConnection();
        Statements statements = new Statements(connection)) {
      outcomes.putAll(AccountRows.read(statements, ids));
      connection.commit();
    }
    for (final Id128 id : ids) {
      final LoadOutcome outcome = outcomes.computeIfAbsent(id, none -> new LoadOutcome.Absent());
      if (outcome instanceof LoadOutcome.Failed failed) {
        faults.came(
            id.toHex(),
            times ->
                LOG.error(
                    "{}, {} times since it was last told", failed.reason(), times, failed.cause()));
        corrupt.increment();
      }
    }
    return outcomes;
  }

  private static Map<Id128, LoadOutcome> failed(List<Id128> ids, LoadOutcome outcome) {
    final Map<Id128, LoadOutcome> outcomes = new HashMap<>();
    ids.forEach(id -> outcomes.put(id, outcome));
    return outcomes;
  }

  private static LoadOutcome unavailable(
      String reason, @org.jspecify.annotations.Nullable Throwable cause) {
    return new LoadOutcome.Failed(LedgerCode.UNAVAILABLE, reason, cause);
  }
}
