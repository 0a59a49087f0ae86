package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The ledger client over a Hazelcast grid.
 *
 * <p>Each account has a lane: one command runs, the next ones wait in order, up to a bound. That
 * keeps a slow account from queueing up on its partition, where every operation waits for the one
 * before it, and it makes "a retry starts only when the previous attempt has ended" a property of
 * the structure. A command's patience is {@link LedgerCall}'s business.
 */
public final class GridLedgerClient implements LedgerClient {
  /*
   * Evictions block while a member is frozen, up to the grid's heartbeat limit. The pool is larger than the number of
   * members that can be frozen at once without the cluster having lost its majority, with room for the others' work.
   */
  private static final int THREADS = 8;

  private final LedgerGrid grid;
  private final LedgerClientSettings settings;
  private final @Nullable OperatorKey operatorKey;
  private final LedgerClock clock;
  private final LedgerClientMetrics metrics;
  private final ScheduledThreadPoolExecutor executor;

  /** Guarded by itself: the calls of each account, the running one first. */
  private final Map<Id128, Deque<LedgerCall>> lanes = new HashMap<>();

  private volatile boolean closed;

  /**
   * A client on a member, a lite member or a Hazelcast client whose configuration {@link
   * GridSerialization} extended.
   *
   * @param operatorKey signs operator commands; null for a client that gives none
   */
  public GridLedgerClient(
      HazelcastInstance hazelcast,
      LedgerClientSettings settings,
      @Nullable OperatorKey operatorKey,
      LedgerClock clock,
      MeterRegistry registry) {
    this(new HazelcastLedgerGrid(hazelcast), settings, operatorKey, clock, registry);
  }

  GridLedgerClient(
      LedgerGrid grid,
      LedgerClientSettings settings,
      @Nullable OperatorKey operatorKey,
      LedgerClock clock,
      MeterRegistry registry) {
    this.grid = grid;
    this.settings = settings;
    this.operatorKey = operatorKey;
    this.clock = clock;
    this.metrics = new LedgerClientMetrics(registry);
    this.executor =
        new ScheduledThreadPoolExecutor(
            THREADS,
            task -> {
              final Thread thread = new Thread(task, "tollgrid-ledger-client");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
    return submit(
        new LedgerRequest(
            account,
            settings.actor(),
            Math.addExact(clock.nowNanos(), settings.notAfterNanos()),
            command));
  }

  @Override
  public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
    final Bits256 mac =
        operatorKey != null && request.command() instanceof LedgerCommand.OperatorCommand
            ? operatorKey.sign(request)
            : null;
    final LedgerCall call = new LedgerCall(grid, settings, clock, executor, metrics, request, mac);
    call.onEnd(() -> next(request.account(), call));
    if (!enqueue(call)) {
      call.giveUp(
          LedgerCode.UNAVAILABLE,
          closed ? "the ledger client is closed" : "too many commands wait for this account");
    }
    return call.result().minimalCompletionStage();
  }

  @Override
  public CompletionStage<Optional<Recall>> recall(Id128 account) {
    return grid.recall(account).thenApply(reply -> Optional.ofNullable(reply.recall()));
  }

  @Override
  public void close() {
    closed = true;
    final Map<Id128, Deque<LedgerCall>> waiting;
    synchronized (lanes) {
      waiting = new HashMap<>(lanes);
      lanes.clear();
    }
    executor.shutdownNow();
    waiting
        .values()
        .forEach(calls -> calls.forEach(call -> call.abandon("the ledger client was closed")));
  }

  private boolean enqueue(LedgerCall call) {
    synchronized (lanes) {
      if (closed) {
        return false;
      }
      final Deque<LedgerCall> lane =
          lanes.computeIfAbsent(call.account(), account -> new ArrayDeque<>(2));
      if (lane.size() > settings.maxQueuedPerAccount()) {
        return false;
      }
      lane.add(call);
      if (lane.size() > 1) {
        return true;
      }
    }
    call.start();
    return true;
  }

  private void next(Id128 account, LedgerCall ended) {
    final LedgerCall following;
    synchronized (lanes) {
      final Deque<LedgerCall> lane = lanes.get(account);
      if (lane == null || lane.peek() != ended) {
        return;
      }
      lane.remove();
      following = lane.peek();
      if (following == null) {
        lanes.remove(account);
      }
    }
    if (following != null) {
      following.start();
    }
  }
}
