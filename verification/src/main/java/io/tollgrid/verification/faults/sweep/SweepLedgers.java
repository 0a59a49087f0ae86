package io.tollgrid.verification.faults.sweep;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.node.operator.OperatorKeyFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Asks ledgers from outside the grid, a bounded number at once, each until it has answered. Used by
 * one thread.
 */
final class SweepLedgers implements AutoCloseable {
  private static final Duration ACTS_WITHIN = Duration.ofSeconds(20);
  private static final long ANSWER_SECONDS = 180;

  private final String actor;
  private final HazelcastInstance hazelcast;
  private final LedgerClock clock;
  private final GridLedgerClient ledgers;
  private final Semaphore room;
  private final int atOnce;

  /**
   * Asks over a connection, which is closed with this.
   *
   * @param actor whom the journal names
   * @param atOnce how many accounts are asked at once
   */
  SweepLedgers(
      String actor, HazelcastInstance hazelcast, Path operatorKey, LedgerClock clock, int atOnce) {
    this.actor = actor;
    this.hazelcast = hazelcast;
    this.clock = clock;
    this.atOnce = atOnce;
    this.room = new Semaphore(atOnce);
    this.ledgers =
        new GridLedgerClient(
            hazelcast,
            LedgerClientSettings.defaults(actor),
            OperatorKeyFile.readOrCreate(operatorKey).key(),
            clock,
            new SimpleMeterRegistry());
  }

  /** The partition of an account. */
  int partitionOf(Id128 account) {
    return hazelcast.getPartitionService().getPartition(account.toHex()).getPartitionId();
  }

  /** Asks as soon as there is room. The answer comes in the end, or waiting for it fails. */
  CompletableFuture<Outcome> ask(Id128 account, LedgerCommand command) {
    room.acquireUninterruptibly();
    final CompletableFuture<Outcome> definite = new CompletableFuture<>();
    submit(account, command, definite);
    return definite.whenComplete((answer, failure) -> room.release());
  }

  /** Asks one thing of each and waits for all of them. */
  <T> List<Outcome> askEach(
      List<T> things, Function<T, Id128> account, Function<T, LedgerCommand> command) {
    final List<CompletableFuture<Outcome>> answers = new ArrayList<>();
    things.forEach(thing -> answers.add(ask(account.apply(thing), command.apply(thing))));
    return Collections.unmodifiableList(
        answers.stream()
            .map(answer -> answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join())
            .toList());
  }

  /** Waits until everything was answered. */
  boolean drained(long seconds) throws InterruptedException {
    final boolean all = room.tryAcquire(atOnce, seconds, TimeUnit.SECONDS);
    if (all) {
      room.release(atOnce);
    }
    return all;
  }

  /** The same command again is the same command (R16), so it can be asked until it is answered. */
  private void submit(Id128 account, LedgerCommand command, CompletableFuture<Outcome> definite) {
    final LedgerRequest request =
        new LedgerRequest(
            account, actor, Math.addExact(clock.nowNanos(), ACTS_WITHIN.toNanos()), command);
    final var unused =
        ledgers
            .submit(request)
            .whenComplete(
                (answer, failure) -> {
                  if (answer == null || isLate(answer)) {
                    submit(account, command, definite);
                  } else {
                    definite.complete(answer.outcome());
                  }
                });
  }

  private static boolean isLate(LedgerAnswer answer) {
    return answer.outcome() instanceof Outcome.Refused refused
        && refused.reason() == Refusal.EXPIRED;
  }

  @Override
  public void close() {
    ledgers.close();
    hazelcast.shutdown();
  }
}
