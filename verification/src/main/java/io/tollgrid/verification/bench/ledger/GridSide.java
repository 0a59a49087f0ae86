package io.tollgrid.verification.bench.ledger;

import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.node.TollgridNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The product: commands through a ledger client on one member, as a lease manager sends them. */
public final class GridSide implements AutoCloseable {
  static final long TTL_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long LONGEST_TTL_NANOS = TimeUnit.MINUTES.toNanos(10);
  static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Commands under way at once: the group that commits together is what waited meanwhile. */
  private static final int IN_FLIGHT = 512;

  private static final long FUNDED_UNITS = 1L << 40;
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final double MEDIAN = 0.5;
  private static final long CREATED_WITHIN_SECONDS = 120;

  private final TollgridNode node;
  private final LedgerClient client;
  private final long wantUnits;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** The side of a node; its acquires ask for so many units. */
  public GridSide(TollgridNode node, long wantUnits) {
    this.node = node;
    final LedgerClientSettings patient = LedgerClientSettings.defaults("bench");
    this.client =
        new GridLedgerClient(
            node.hazelcast(),
            new LedgerClientSettings(
                patient.actor(),
                CREATED_WITHIN_SECONDS * TimeUnit.SECONDS.toNanos(1),
                patient.settleNanos(),
                patient.maxSkewNanos(),
                patient.firstBackoffNanos(),
                patient.maxBackoffNanos(),
                IN_FLIGHT),
            node.operatorKey(),
            new SystemClock(),
            node.metrics());
    this.wantUnits = wantUnits;
  }

  /** Creates and funds this many accounts. */
  public List<Id128> accounts(int count) throws InterruptedException {
    final List<Id128> accounts = new ArrayList<>(count);
    final ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < count; i++) {
      accounts.add(new Id128(random.nextLong(), random.nextLong()));
    }
    inFlight(
        count,
        i ->
            client.submit(
                accounts.get(i),
                new LedgerCommand.Create(
                    id(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT)));
    inFlight(
        count, i -> client.submit(accounts.get(i), new LedgerCommand.Deposit(id(), FUNDED_UNITS)));
    return accounts;
  }

  /** Acquires a lease for each of the accounts. */
  public List<Outcome.Granted> leases(List<Id128> accounts) throws InterruptedException {
    final Outcome.Granted[] leases = new Outcome.Granted[accounts.size()];
    inFlight(
        leases.length,
        i ->
            acquire(accounts.get(i), LONGEST_TTL_NANOS)
                .thenApply(
                    answer -> {
                      leases[i] = (Outcome.Granted) answer.outcome();
                      return answer;
                    }));
    return List.of(leases);
  }

  /** Commands per second that a closed loop sustains for {@code nanos}. */
  double commandsPerSecond(Work work, List<Id128> accounts, AccountPick pick, long nanos)
      throws InterruptedException {
    final Semaphore room = new Semaphore(IN_FLIGHT);
    final LongAdder done = new LongAdder();
    final Stopwatch watch = Stopwatch.start();
    while (watch.elapsedNanos() < nanos) {
      room.acquire();
      final Id128 account = accounts.get(pick.next());
      final CompletionStage<LedgerAnswer> acquired = counted(acquire(account), done);
      final var unused =
          (work == Work.ACQUIRE
                  ? acquired
                  : acquired.thenCompose(answer -> counted(release(account, answer), done)))
              .whenComplete((answer, failed) -> room.release());
    }
    room.acquire(IN_FLIGHT);
    final double seconds = watch.elapsedSeconds();
    throwIfFailed();
    return done.sum() / seconds;
  }

  private CompletionStage<LedgerAnswer> counted(
      CompletionStage<LedgerAnswer> command, LongAdder done) {
    return command.whenComplete(
        (answer, failed) -> {
          note(answer, failed);
          done.increment();
        });
  }

  /**
   * Latencies of acquires at a fixed rate, each measured from the moment it was due, so that a
   * stall counts for everyone who would have waited (coordinated omission). What an acquire got is
   * released, so that half of the commands under way are releases.
   */
  Histogram latenciesAt(List<Id128> accounts, AccountPick pick, double perSecond, long nanos) {
    final Histogram latencies = new ConcurrentHistogram(LONGEST_NANOS, 3);
    final double gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    final Stopwatch watch = Stopwatch.start();
    final LongAdder pending = new LongAdder();
    for (long i = 0; ; i++) {
      final long dueNanos = (long) (i * gapNanos);
      if (dueNanos > nanos) {
        break;
      }
      for (long early = dueNanos - watch.elapsedNanos();
          early > 0;
          early = dueNanos - watch.elapsedNanos()) {
        LockSupport.parkNanos(early);
      }
      pending.increment();
      final Id128 account = accounts.get(pick.next());
      final var unused =
          acquire(account)
              .whenComplete(
                  (answer, failed) -> {
                    note(answer, failed);
                    latencies.recordValue(Math.min(watch.elapsedNanos() - dueNanos, LONGEST_NANOS));
                  })
              .thenCompose(answer -> release(account, answer))
              .whenComplete(
                  (answer, failed) -> {
                    note(answer, failed);
                    pending.decrement();
                  });
    }
    while (pending.sum() > 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    throwIfFailed();
    return latencies;
  }

  /** The median of one of the node's timers over its last seconds, milliseconds. */
  double medianMillis(String name) {
    for (final ValueAtPercentile value :
        node.metrics().get(name).timer().takeSnapshot().percentileValues()) {
      if (value.percentile() == MEDIAN) {
        return value.value(TimeUnit.MILLISECONDS);
      }
    }
    throw new IllegalStateException("timer " + name + " publishes no median");
  }

  @Override
  public void close() {
    client.close();
  }

  private CompletionStage<LedgerAnswer> acquire(Id128 account) {
    return acquire(account, TTL_NANOS);
  }

  private CompletionStage<LedgerAnswer> acquire(Id128 account, long ttlNanos) {
    return client.submit(
        account,
        new LedgerCommand.Acquire(
            id(),
            new Id128(1, 1),
            new GrantPolicy(wantUnits, wantUnits, 1, wantUnits),
            ttlNanos,
            0));
  }

  private CompletionStage<LedgerAnswer> release(Id128 account, LedgerAnswer acquired) {
    return acquired.outcome() instanceof Outcome.Granted granted
        ? client.submit(
            account,
            new LedgerCommand.Release(granted.leaseId(), granted.fence(), 1, granted.units()))
        : CompletableFuture.completedFuture(acquired);
  }

  private void note(@Nullable LedgerAnswer answer, @Nullable Throwable failed) {
    if (failed != null) {
      failure.compareAndSet(null, failed);
    } else if (answer != null && !(answer.outcome() instanceof Outcome.Applied)) {
      failure.compareAndSet(
          null, new IllegalStateException("a command was answered with " + answer.outcome()));
    }
  }

  private void throwIfFailed() {
    final Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a client failed, so the run has no figure", failed);
    }
  }

  private void inFlight(int count, IntFunction<CompletionStage<LedgerAnswer>> submit)
      throws InterruptedException {
    final Semaphore room = new Semaphore(IN_FLIGHT);
    for (int i = 0; i < count; i++) {
      room.acquire();
      final var unused =
          submit
              .apply(i)
              .whenComplete(
                  (answer, failed) -> {
                    note(answer, failed);
                    room.release();
                  });
    }
    if (!room.tryAcquire(IN_FLIGHT, CREATED_WITHIN_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "the accounts could not be made within " + Duration.ofSeconds(CREATED_WITHIN_SECONDS));
    }
    throwIfFailed();
  }

  private static Id128 id() {
    final ThreadLocalRandom random = ThreadLocalRandom.current();
    return new Id128(random.nextLong(), random.nextLong());
  }
}
