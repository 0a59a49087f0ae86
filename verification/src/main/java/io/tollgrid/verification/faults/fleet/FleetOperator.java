package io.tollgrid.verification.faults.fleet;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.TopicChangeFeed;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.node.operator.OperatorKeyFile;
import io.tollgrid.node.policy.Publications;
import io.tollgrid.verification.faults.history.HistoryWriter;
import io.tollgrid.verification.faults.history.RecordingLedgerClient;
import io.tollgrid.verification.faults.run.Rig;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operator of a fleet, in the parent's process: founds accounts, publishes, deposits, and waits
 * for every answer. Used by one thread.
 */
public final class FleetOperator implements AutoCloseable {
  private static final int IN_FLIGHT = 128;
  private static final int PUBLISHERS = 3;
  private static final long ANSWER_SECONDS = 120;
  private static final String ACTOR = "fleet-operator";
  private static final Duration ACTS_WITHIN = Duration.ofSeconds(20);

  private final HazelcastInstance hazelcast;
  private final LedgerClock clock = new SystemClock();
  private final RandomIds ids = new RandomIds();
  private final GridLedgerClient ledgers;
  private final HistoryWriter history;
  private final RecordingLedgerClient recording;
  private final LedgerDataSources sources;
  private final Publications publications;

  /** The operator of a rig's cluster. */
  public static FleetOperator of(Rig rig) {
    return new FleetOperator(
        rig.connect(), rig.cluster().operatorKeyFile(), rig.postgres().address(), rig.newHistory());
  }

  private FleetOperator(
      HazelcastInstance hazelcast, Path keyFile, PostgresAddress postgres, Path historyFile) {
    this.hazelcast = hazelcast;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    this.ledgers =
        new GridLedgerClient(
            hazelcast,
            LedgerClientSettings.defaults(ACTOR),
            OperatorKeyFile.readOrCreate(keyFile).key(),
            clock,
            registry);
    this.history = HistoryWriter.create(historyFile);
    this.recording = new RecordingLedgerClient(ledgers, history, clock);
    this.sources = LedgerDataSources.open(postgres, LedgerDataSources.Sizes.DEFAULTS);
    this.publications =
        new Publications(sources.control(), clock, new TopicChangeFeed(hazelcast, registry));
  }

  Publications publications() {
    return publications;
  }

  /** Active, strict accounts with so many units each, and the plan under which a unit is a unit. */
  public void found(Collection<Id128> accounts, long units) throws SQLException {
    each(
        accounts,
        account ->
            new LedgerCommand.Create(
                ids.randomId(),
                AccountStatus.ACTIVE,
                CapacityClass.BEST_EFFORT,
                AccountTerms.STRICT));
    if (units > 0) {
      each(accounts, account -> new LedgerCommand.Deposit(ids.randomId(), units));
    }
    publications.publish(
        Plan.open(
            FleetInstance.PLAN,
            OperationPrice.of(FleetInstance.OPERATION, MeterPrice.perItem("units"))));
  }

  void assign(Id128 principal, Id128 account) throws SQLException {
    publications.publish(PrincipalSnapshot.of(principal, FleetInstance.PLAN, account));
  }

  /** Assigns many principals their accounts, some at a time. */
  public void assign(Map<Id128, Id128> payers) throws SQLException {
    final ExecutorService some = Executors.newFixedThreadPool(PUBLISHERS);
    try {
      final List<Future<?>> published = new ArrayList<>();
      payers.forEach(
          (principal, account) ->
              published.add(
                  some.submit(
                      () -> {
                        assign(principal, account);
                        return null;
                      })));
      for (final Future<?> publication : published) {
        publication.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new SQLException("a fleet could not be published", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      some.shutdownNow();
    }
  }

  void deposit(Collection<Id128> accounts, long units) {
    each(accounts, account -> new LedgerCommand.Deposit(ids.randomId(), units));
  }

  void status(Collection<Id128> accounts, AccountStatus status) {
    each(accounts, account -> new LedgerCommand.SetStatus(ids.randomId(), status));
  }

  void schedule(Collection<Id128> accounts, @Nullable BudgetSchedule schedule) {
    each(
        accounts,
        account ->
            new LedgerCommand.SetSchedule(
                ids.randomId(),
                schedule,
                schedule == null
                    ? LedgerCommand.SetSchedule.Effective.BOUNDARY
                    : LedgerCommand.SetSchedule.Effective.NOW));
  }

  /** Asks one thing and waits for the answer. */
  Outcome ask(Id128 account, LedgerCommand command) {
    return submit(account, command).orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join().outcome();
  }

  /** Writes off what dead holders held, until nothing more is due. */
  public void reclaim(Collection<Id128> accounts) {
    Collection<Id128> due = accounts;
    while (!due.isEmpty()) {
      final long cutoff = clock.nowNanos();
      final List<Id128> more = new ArrayList<>();
      final List<CompletableFuture<?>> answers = new ArrayList<>();
      for (final Id128 account : due) {
        answers.add(
            submit(account, new LedgerCommand.Reclaim(cutoff))
                .thenAccept(
                    answer -> {
                      if (answer.outcome() instanceof Outcome.Reclaimed reclaimed
                          && reclaimed.saturated()) {
                        synchronized (more) {
                          more.add(account);
                        }
                      }
                    }));
      }
      await(answers);
      due = more;
    }
  }

  private void each(Collection<Id128> accounts, Function<Id128, LedgerCommand> command) {
    final Semaphore room = new Semaphore(IN_FLIGHT);
    final List<CompletableFuture<?>> answers = new ArrayList<>();
    for (final Id128 account : accounts) {
      room.acquireUninterruptibly();
      answers.add(
          submit(account, command.apply(account))
              .whenComplete((answer, failure) -> room.release()));
    }
    await(answers);
  }

  /** {@code host:port} of the member that owns an account's ledger; empty while nobody does. */
  String ownerOf(Id128 account) {
    final @Nullable Member owner =
        hazelcast.getPartitionService().getPartition(account.toHex()).getOwner();
    return owner == null ? "" : owner.getAddress().getHost() + ":" + owner.getAddress().getPort();
  }

  /** Submits until there is a definite answer: the same command, so it takes effect once (R16). */
  CompletableFuture<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    final CompletableFuture<LedgerAnswer> definite = new CompletableFuture<>();
    submit(account, command, definite);
    return definite;
  }

  private void submit(
      Id128 account, LedgerCommand command, CompletableFuture<LedgerAnswer> definite) {
    final LedgerRequest request =
        new LedgerRequest(
            account, ACTOR, Math.addExact(clock.nowNanos(), ACTS_WITHIN.toNanos()), command);
    final var unused =
        recording
            .submit(request)
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null
                      && LedgerCallException.codeOf(failure) == LedgerCode.CORRUPT) {
                    // It stays so, however often it is asked for.
                    definite.completeExceptionally(failure);
                  } else if (answer == null || isLate(answer)) {
                    submit(account, command, definite);
                  } else {
                    definite.complete(answer);
                  }
                });
  }

  private static boolean isLate(LedgerAnswer answer) {
    return answer.outcome() instanceof Outcome.Refused refused
        && refused.reason() == Refusal.EXPIRED;
  }

  private static void await(List<CompletableFuture<?>> answers) {
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  @Override
  public void close() {
    ledgers.close();
    history.close();
    sources.close();
    hazelcast.shutdown();
  }
}
