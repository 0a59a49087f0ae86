package io.tollgrid.client;

import io.tollgrid.grid.GivenUp;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.testing.InMemoryLedger;
import io.tollgrid.ledger.testing.InMemoryLedgerStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Ledgers in memory behind a network in virtual time: commands take a while, and at times end as
 * unknown or as failed.
 *
 * <p>As the grid's client does, each {@link #client} runs one command of an account at a time and
 * takes a refusal that follows an unknown attempt for what it is.
 */
final class SimulatedLedgers {
  static final long MILLI = 1_000_000L;

  /** How a command may go wrong, in chances of a thousand. */
  record Weather(
      int failed, int unknownAndDone, int unknownAndNot, int unknownAndLate, long slowestNanos) {
    static final Weather FAIR = new Weather(0, 0, 0, 0, 4 * MILLI);
    static final Weather ROUGH = new Weather(60, 60, 60, 0, 20 * MILLI);

    /** As rough, and some attempts act long after they were given up. */
    static final Weather STORMY = new Weather(60, 60, 60, 60, 20 * MILLI);
  }

  /** After how long a client gives up on a grid that stands still. */
  private static final long PATIENCE_NANOS = 2_000 * MILLI;

  /** How late an attempt may act that was given up. */
  private static final long LATEST_NANOS = 3_000 * MILLI;

  private final VirtualTime time;
  private final SplittableRandom random;
  private final LedgerLimits limits;
  private final InMemoryLedger owner;
  private final Map<Id128, Recall> recalls = new HashMap<>();
  private long operatorCommands;
  private long commands;
  private Weather weather;
  private boolean down;
  private boolean standing;
  private final List<LedgerRequest> stalled = new ArrayList<>();
  private BiConsumer<LedgerRequest, LedgerAnswer> applied = (request, answer) -> {};

  SimulatedLedgers(VirtualTime time, SplittableRandom random, Weather weather) {
    this(time, random, weather, LedgerLimits.DEFAULTS);
  }

  SimulatedLedgers(
      VirtualTime time, SplittableRandom random, Weather weather, LedgerLimits limits) {
    this.time = time;
    this.random = random;
    this.weather = weather;
    this.limits = limits;
    this.owner = new InMemoryLedger(new InMemoryLedgerStore(), limits, 500 * MILLI);
  }

  /** Tells {@code listener} of every answer of a ledger, heard or not. */
  void onApplied(BiConsumer<LedgerRequest, LedgerAnswer> listener) {
    applied = listener;
  }

  /** Changes how commands go wrong from now on. */
  void weather(Weather next) {
    weather = next;
  }

  Weather weather() {
    return weather;
  }

  boolean isStanding() {
    return standing;
  }

  /**
   * Lets every ledger stand still, or go on: what arrives meanwhile is given up as unknown, and
   * acts when they go on, if it still may.
   */
  void stand(boolean still) {
    standing = still;
    if (!still) {
      final List<LedgerRequest> late = List.copyOf(stalled);
      stalled.clear();
      late.forEach(this::run);
    }
  }

  void create(Id128 account, AccountTerms terms, long topUpUnits) {
    operate(
        account,
        new LedgerCommand.Create(
            operatorId(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms));
    if (topUpUnits > 0) {
      deposit(account, topUpUnits);
    }
  }

  void deposit(Id128 account, long units) {
    operate(account, new LedgerCommand.Deposit(operatorId(), units));
  }

  Outcome operate(Id128 account, LedgerCommand command) {
    return run(new LedgerRequest(account, "operator", Long.MAX_VALUE, command)).outcome();
  }

  Id128 operatorId() {
    return new Id128(0x0FE7A708L, ++operatorCommands);
  }

  AccountLedger ledger(Id128 account) {
    final AccountLedger ledger = owner.ledger(account);
    if (ledger == null) {
      throw new IllegalStateException("no account " + account);
    }
    return ledger;
  }

  InMemoryLedgerStore store() {
    return owner.store();
  }

  /** Commands that reached a ledger. */
  long commands() {
    return commands;
  }

  /** Lets every command fail, nothing of it written, until it is up again. */
  void down(boolean isDown) {
    down = isDown;
  }

  LedgerClient client() {
    return new Client();
  }

  private final class Client implements LedgerClient {
    private final Map<Id128, Deque<Runnable>> lanes = new HashMap<>();

    @Override
    public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
      return submit(new LedgerRequest(account, "test", time.nowNanos() + 10_000 * MILLI, command));
    }

    @Override
    public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
      final CompletableFuture<LedgerAnswer> result = new CompletableFuture<>();
      final Deque<Runnable> lane =
          lanes.computeIfAbsent(request.account(), account -> new ArrayDeque<>());
      lane.add(() -> travel(request, result, lane));
      if (lane.size() == 1) {
        lane.getFirst().run();
      }
      return result;
    }

    private void travel(
        LedgerRequest request, CompletableFuture<LedgerAnswer> result, Deque<Runnable> lane) {
      final int luck = random.nextInt(1_000);
      time.after(
          delay(),
          () -> {
            if (standing) {
              stalled.add(request);
              time.after(
                  PATIENCE_NANOS,
                  () -> end(lane, () -> result.completeExceptionally(GivenUp.perhaps())));
            } else if (down || luck < weather.failed()) {
              end(lane, () -> result.completeExceptionally(GivenUp.forSure()));
            } else if (luck < weather.failed() + weather.unknownAndNot()) {
              end(lane, () -> result.completeExceptionally(GivenUp.perhaps()));
            } else if (luck >= 1_000 - weather.unknownAndLate()) {
              time.after(random.nextLong(LATEST_NANOS), () -> runLate(request));
              end(lane, () -> result.completeExceptionally(GivenUp.perhaps()));
            } else {
              final LedgerAnswer answer = run(request);
              final boolean lost =
                  luck < weather.failed() + weather.unknownAndNot() + weather.unknownAndDone();
              end(
                  lane,
                  lost
                      ? () -> result.completeExceptionally(GivenUp.perhaps())
                      : () -> result.complete(answer));
            }
          });
    }

    private void end(Deque<Runnable> lane, Runnable completion) {
      time.after(
          delay() / 4,
          () -> {
            completion.run();
            lane.removeFirst();
            if (!lane.isEmpty()) {
              lane.getFirst().run();
            }
          });
    }

    @Override
    public CompletionStage<Optional<Recall>> recall(Id128 account) {
      final CompletableFuture<Optional<Recall>> result = new CompletableFuture<>();
      time.after(MILLI / 2, () -> result.complete(Optional.ofNullable(liveRecall(account))));
      return result;
    }

    @Override
    public void close() {}
  }

  private void runLate(LedgerRequest request) {
    if (standing) {
      stalled.add(request);
    } else {
      final LedgerAnswer unheard = run(request);
      assert unheard != null;
    }
  }

  private LedgerAnswer run(LedgerRequest request) {
    commands++;
    final long now = time.nowNanos();
    final var answer = owner.submit(request, now);
    final Outcome outcome = answer.outcome();
    if (outcome == null) {
      throw new IllegalStateException("the store refused " + request + " as " + answer.verdict());
    }
    final Recall recall =
        Recall.after(
            liveRecall(request.account()),
            answer.effects(),
            answer.unmetDemandUnits(),
            limits.recallNanos());
    if (recall == null) {
      recalls.remove(request.account());
    } else {
      recalls.put(request.account(), recall);
    }
    final LedgerAnswer heard =
        new LedgerAnswer(outcome, answer.effects().nextVersion(), now, recall);
    applied.accept(request, heard);
    return heard;
  }

  private @Nullable Recall liveRecall(Id128 account) {
    final Recall recall = recalls.get(account);
    return recall == null || recall.expiresAtNanos() <= time.nowNanos() ? null : recall;
  }

  private long delay() {
    return MILLI / 10 + random.nextLong(weather.slowestNanos());
  }
}
