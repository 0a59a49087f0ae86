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
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ledger client over a Hazelcast grid.
 *
 * <p>Each account has a lane: one attempt is under way, and the commands that come meanwhile wait
 * in order, up to a bound. That keeps a slow account from queueing up on its partition, where every
 * operation waits for the one before it, and it makes "a retry starts only when the previous
 * attempt has ended" a property of the structure. Lease commands that waited leave together, as one
 * chain, so that a hot account is not bound to one command per commit; what does not end there goes
 * on alone. A command's patience is {@link LedgerCall}'s business. What an answer means to others
 * who use the account is announced to them.
 */
public final class GridLedgerClient implements LedgerClient {
  private static final int THREADS = 8;

  /*
   * Evictions block while the owner is frozen or dead and not yet removed, for each of its accounts that is asked for.
   * They have threads of their own, so that nothing else waits for them.
   */
  private static final int EVICTION_THREADS = 8;

  private static final long IDLE_SECONDS = 30;

  private final LedgerGrid grid;
  private final LedgerClientSettings settings;
  private final @Nullable OperatorKey operatorKey;
  private final LedgerClock clock;
  private final LedgerClientMetrics metrics;
  private final ChangeFeed changes;
  private final ScheduledThreadPoolExecutor executor;
  private final ThreadPoolExecutor evictor;

  /** Guarded by itself, like each lane in it. */
  private final Map<Id128, Lane> lanes = new HashMap<>();

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
    this(
        new HazelcastLedgerGrid(hazelcast),
        new TopicChangeFeed(hazelcast, registry),
        settings,
        operatorKey,
        clock,
        registry);
  }

  GridLedgerClient(
      LedgerGrid grid,
      ChangeFeed changes,
      LedgerClientSettings settings,
      @Nullable OperatorKey operatorKey,
      LedgerClock clock,
      MeterRegistry registry) {
    this.grid = grid;
    this.changes = changes;
    this.settings = settings;
    this.operatorKey = operatorKey;
    this.clock = clock;
    this.metrics = new LedgerClientMetrics(registry);
    this.executor =
        new ScheduledThreadPoolExecutor(THREADS, task -> daemon(task, "tollgrid-ledger-client"));
    this.evictor =
        new ThreadPoolExecutor(
            EVICTION_THREADS,
            EVICTION_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> daemon(task, "tollgrid-ledger-eviction"));
    evictor.allowCoreThreadTimeOut(true);
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread daemon(Runnable task, String name) {
    final Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
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
    final LedgerCall call =
        new LedgerCall(grid, settings, clock, executor, evictor, metrics, request, mac);
    call.onEnd(() -> next(request.account(), call));
    final var unused =
        call.result()
            .thenAccept(answer -> Announcements.of(request, answer).forEach(changes::publish));
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
    final List<LedgerCall> waiting = new ArrayList<>();
    synchronized (lanes) {
      lanes.values().forEach(lane -> waiting.addAll(lane.calls));
      lanes.clear();
    }
    executor.shutdownNow();
    evictor.shutdownNow();
    waiting.forEach(call -> call.abandon("the ledger client was closed"));
  }

  /** The commands of one account that have not ended, oldest first. */
  private static final class Lane {
    private final Deque<LedgerCall> calls = new ArrayDeque<>(2);

    /** How many of them, from the front, are under way. */
    private int underWay;

    int waiting() {
      return calls.size() - underWay;
    }

    /** Takes out the calls at the front that no owner would accept any more. */
    List<LedgerCall> takeOverdue() {
      final List<LedgerCall> overdue = new ArrayList<>();
      while (!calls.isEmpty() && calls.element().isOverdueUnsent()) {
        overdue.add(calls.remove());
      }
      return overdue;
    }

    /**
     * What leaves next: the oldest call, with those right behind it that may travel together. Two
     * steps of one lease may not: only the last step's receipt is kept, so the first could not be
     * told again.
     */
    List<LedgerCall> takeFront() {
      final List<LedgerCall> front = new ArrayList<>();
      final Set<Id128> stepped = new HashSet<>();
      for (final LedgerCall call : calls) {
        if (!front.isEmpty()
            && !(front.get(0).mayTravel()
                && call.mayTravel()
                && front.size() < LedgerCommand.LeaseCommand.MAX_CHAIN)) {
          break;
        }
        if (call.request().command() instanceof LedgerCommand.LeaseStepCommand step
            && !stepped.add(step.leaseId())) {
          break;
        }
        front.add(call);
      }
      underWay = front.size();
      return front;
    }
  }

  private boolean enqueue(LedgerCall call) {
    final List<LedgerCall> front;
    synchronized (lanes) {
      if (closed) {
        return false;
      }
      final Lane lane = lanes.computeIfAbsent(call.account(), account -> new Lane());
      if (lane.waiting() >= settings.maxQueuedPerAccount() && lane.underWay > 0) {
        return false;
      }
      lane.calls.add(call);
      if (lane.underWay > 0) {
        return true;
      }
      front = lane.takeFront();
    }
    leave(front);
    return true;
  }

  /** A call that was under way has ended; the last of them makes room for those that waited. */
  private void next(Id128 account, LedgerCall ended) {
    final List<LedgerCall> overdue;
    final List<LedgerCall> front;
    synchronized (lanes) {
      final Lane lane = lanes.get(account);
      if (lane == null || !lane.calls.remove(ended) || --lane.underWay > 0) {
        return;
      }
      overdue = lane.takeOverdue();
      front = lane.takeFront();
      if (front.isEmpty()) {
        lanes.remove(account);
      }
    }
    overdue.forEach(call -> call.giveUp(LedgerCode.UNAVAILABLE, "it waited past its deadline"));
    if (!front.isEmpty()) {
      leave(front);
    }
  }

  private void leave(List<LedgerCall> front) {
    if (front.size() == 1) {
      front.get(0).start();
      return;
    }
    metrics.left(front.size());
    try {
      final var unused =
          grid.attempt(new LedgerProcessor(front.stream().map(LedgerCall::depart).toList(), null))
              .whenCompleteAsync((replies, failure) -> arrived(front, replies, failure), executor);
    } catch (RuntimeException e) {
      failedToLeave(front, e);
    }
  }

  /** Ends the attempt on another stack: thousands of waiting calls may fail one after the other. */
  private void failedToLeave(List<LedgerCall> chain, RuntimeException failure) {
    try {
      executor.execute(() -> arrived(chain, null, failure));
    } catch (RejectedExecutionException e) {
      chain.forEach(call -> call.abandon("the ledger client was closed"));
    }
  }

  /**
   * A chain's attempt ended. Its replies are all final but perhaps the last, so at most one call
   * goes on; those that got none wait again. A chain that failed as a whole is taken apart: the
   * first call goes on, the others follow alone.
   */
  private void arrived(
      List<LedgerCall> chain, @Nullable List<LedgerReply> replies, @Nullable Throwable failure) {
    final int answered = replies == null ? 1 : Math.min(replies.size(), chain.size());
    final Throwable why =
        failure == null ? new IllegalStateException("an attempt ended without a reply") : failure;
    synchronized (lanes) {
      if (replies == null) {
        chain.forEach(call -> call.leaveChain(why));
      }
      final Lane lane = lanes.get(chain.get(0).account());
      if (lane != null) {
        lane.underWay = answered;
      }
    }
    if (replies == null) {
      chain.get(0).goOnAlone(why);
      return;
    }
    for (int i = 0; i < answered; i++) {
      chain.get(i).ended(replies.get(i), null);
    }
  }
}
