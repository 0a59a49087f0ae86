package io.tollgrid.grid;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.ledger.port.LedgerCodeException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command on its way to a definite answer.
 *
 * <p>An attempt ends in one of three ways. <em>Answered</em>: the store has written or confirmed
 * it. <em>Coded</em>: our own store or loader said that its last execution wrote nothing.
 * <em>Unknown</em>: any other failure, for exceptions of the grid were seen after durable commits.
 * Only one attempt is under way at a time, so the fields need no lock: each attempt happens after
 * the one before it.
 *
 * <p>A code says what the attempt's last execution did. The grid repeats an attempt by itself when
 * its partition moves, also after a durable commit, so a code is no proof that nothing happened: a
 * call that was answered by codes only may have taken effect until the owner, who looks for the
 * command first, refuses it. Such a refusal is final at once, for nothing of a coded attempt is
 * under way any more.
 *
 * <p>After an unknown attempt a refusal proves nothing by itself: that attempt may still be queued
 * and act after the refusal was checked (R3). The call then repeats the command until it took
 * effect, or until the owner has refused it as expired late enough that no store would accept it
 * any more.
 */
final class LedgerCall {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerCall.class);

  /**
   * Rounds of row fetching after which the rows are taken to change under us, and the call backs
   * off first.
   */
  private static final int MAX_EAGER_FETCHES = 4;

  private final LedgerGrid grid;
  private final LedgerClientSettings settings;
  private final LedgerClock clock;
  private final ScheduledExecutorService executor;
  private final Executor evictor;
  private final LedgerClientMetrics metrics;
  private final @Nullable Bits256 mac;
  private final CompletableFuture<LedgerAnswer> result = new CompletableFuture<>();

  private LedgerRequest request;
  private boolean alone;
  private long sentAtNanos;
  private boolean unknownSeen;
  private boolean mayHaveActed;
  private LedgerCode lastCode = LedgerCode.UNAVAILABLE;
  private @Nullable Throwable lastFailure;
  private int retries;
  private int fetches;

  LedgerCall(
      LedgerGrid grid,
      LedgerClientSettings settings,
      LedgerClock clock,
      ScheduledExecutorService executor,
      Executor evictor,
      LedgerClientMetrics metrics,
      LedgerRequest request,
      @Nullable Bits256 mac) {
    this.grid = grid;
    this.settings = settings;
    this.clock = clock;
    this.executor = executor;
    this.evictor = evictor;
    this.metrics = metrics;
    this.request = request;
    this.mac = mac;
    this.alone = !(request.command() instanceof LedgerCommand.LeaseCommand);
  }

  /**
   * What to send now. From here on only a checked answer proves that the command did not take
   * effect, unless it leaves later than any store would accept it.
   */
  LedgerRequest depart() {
    sentAtNanos = clock.nowNanos();
    mayHaveActed |= !isBeyondAnyStore(sentAtNanos);
    return request;
  }

  LedgerRequest request() {
    return request;
  }

  /** Whether its next attempt may be part of a chain. */
  boolean mayTravel() {
    return !alone;
  }

  /** Whether it never left, and its owner would refuse it now. */
  boolean isOverdueUnsent() {
    return !mayHaveHappened() && clock.nowNanos() > request.notAfterNanos();
  }

  Id128 account() {
    return request.account();
  }

  CompletableFuture<LedgerAnswer> result() {
    return result;
  }

  /** Runs {@code then} once the call has ended, in whichever way. */
  void onEnd(Runnable then) {
    final var unused = result.whenComplete((answer, failure) -> then.run());
  }

  /** Makes attempts by itself until the call has ended. */
  void start() {
    attempt();
  }

  /** Takes what came of an attempt that was part of a chain, and goes on by itself. */
  void ended(@Nullable LedgerReply reply, @Nullable Throwable failure) {
    guarded(() -> end(reply, failure)).run();
  }

  /**
   * The chain it was part of failed as a whole: its next attempt is its own, and remembers if this
   * one may still take effect.
   */
  void leaveChain(Throwable failure) {
    alone = true;
    unknownSeen |= codeOf(failure) == LedgerCode.UNKNOWN;
  }

  /**
   * Goes on by itself after its chain failed. Whatever the chain's code says may be another
   * command's doing, so it ends nothing.
   */
  void goOnAlone(Throwable failure) {
    guarded(
            () -> {
              lastFailure = failure;
              lastCode = codeOf(failure);
              metrics.coded(lastCode);
              retryLater(true);
            })
        .run();
  }

  /** Ends the call without an answer; what is known of its effect is said with it. */
  void giveUp(LedgerCode code, String why) {
    result.completeExceptionally(
        new LedgerCallException(code, mayHaveHappened(), why, lastFailure));
  }

  private boolean mayHaveHappened() {
    return unknownSeen || mayHaveActed;
  }

  /** Ends the call from outside, while an attempt may be under way. */
  void abandon(String why) {
    result.completeExceptionally(new LedgerCallException(LedgerCode.UNKNOWN, true, why, null));
  }

  private void attempt() {
    alone = true;
    if (result.isDone()) {
      return;
    }
    try {
      final var unused =
          grid.attempt(new LedgerProcessor(depart(), mac))
              .whenCompleteAsync(
                  (replies, failure) -> ended(replies == null ? null : replies.get(0), failure),
                  executor);
    } catch (RuntimeException e) {
      failedToLeave(e);
    }
  }

  /** Goes on from another stack: behind this call others wait, and may fail in the same way. */
  private void failedToLeave(RuntimeException failure) {
    try {
      executor.execute(guarded(() -> failed(failure)));
    } catch (RejectedExecutionException e) {
      abandon("the ledger client was closed");
    }
  }

  private void end(@Nullable LedgerReply reply, @Nullable Throwable failure) {
    if (reply != null) {
      replied(reply);
    } else {
      failed(
          failure == null
              ? new IllegalStateException("an attempt ended without a reply")
              : failure);
    }
  }

  /**
   * A step of the call that cannot leave it hanging: a fault of our own ends it, outcome unknown.
   */
  private Runnable guarded(Runnable step) {
    return () -> {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        LOG.error("a ledger command for account {} ended in a fault of the client", account(), e);
        lastFailure = e;
        abandon("a fault of the ledger client ended the command");
      }
    };
  }

  private void replied(LedgerReply reply) {
    final LedgerCode code = reply.code();
    final Outcome outcome = reply.outcome();
    if (code != null) {
      coded(code);
    } else if (outcome instanceof Outcome.NeedsRows needs) {
      fetch(needs.keys());
    } else if (outcome instanceof Outcome.Refused refused) {
      metrics.refused();
      refused(refused, reply);
    } else if (outcome != null) {
      metrics.applied();
      answer(outcome, reply);
    } else {
      failed(new IllegalStateException("a reply without code and outcome"));
    }
  }

  /*
   * A failure carries no ledger time. The client's clock when it sent the attempt takes its place: it is at most the
   * skew ahead of the store's. A Create that found no account and made none came after its deadline.
   */
  private void noAccount() {
    final boolean expired = request.command() instanceof LedgerCommand.Create;
    final long timeNanos =
        expired ? Math.max(sentAtNanos, request.notAfterNanos() + 1) : sentAtNanos;
    refused(
        new Outcome.Refused(expired ? Refusal.EXPIRED : Refusal.UNKNOWN_ACCOUNT, null),
        new LedgerReply(null, null, 0, timeNanos, null));
  }

  /*
   * Usage of an account that does not exist was kept as rejected, or it was there before, or it came too late; memory of
   * such an account stays empty, so the answer is what the rows say.
   */
  private void kept(LedgerCommand.RecordUsage usage) {
    rows(
        Ledger.ownRows(usage),
        rows -> {
          final Optional<Outcome.UsageRecorded> recorded = Ledger.usageOnRecord(usage, rows);
          if (recorded.isPresent()) {
            metrics.applied();
            answer(recorded.get(), new LedgerReply(null, null, 0, sentAtNanos, null));
          } else {
            retryLater(true);
          }
        });
  }

  private void refused(Outcome.Refused refused, LedgerReply reply) {
    if (!unknownSeen || isFinalAfterUnknown(refused.reason(), reply.ledgerTimeNanos())) {
      answer(refused, reply);
    } else {
      retryLater(false);
    }
  }

  private boolean isFinalAfterUnknown(Refusal reason, long ledgerTimeNanos) {
    if (request.command() instanceof LedgerCommand.Reclaim
        || request.command() instanceof LedgerCommand.Cross) {
      return true;
    }
    return switch (reason) {
      case CONFLICT, UNAUTHENTICATED -> true;
      case EXPIRED, UNKNOWN_ACCOUNT -> isBeyondAnyStore(ledgerTimeNanos);
      default -> false;
    };
  }

  /*
   * No store accepts an attempt of this command any more at that moment of a member's or client's clock: a store drops
   * a write whose not_after lies more than the skew behind its own clock, and those are at most the skew ahead of it.
   */
  private boolean isBeyondAnyStore(long nanos) {
    return nanos - request.notAfterNanos() > 2 * settings.maxSkewNanos();
  }

  private void failed(Throwable failure) {
    lastFailure = failure;
    final LedgerCode code = codeOf(failure);
    if (code != LedgerCode.UNKNOWN) {
      coded(code);
      return;
    }
    LOG.debug("an attempt for account {} ended in an unknown way", account(), failure);
    metrics.coded(LedgerCode.UNKNOWN);
    unknownSeen = true;
    lastCode = LedgerCode.UNKNOWN;
    retryLater(true);
  }

  private static LedgerCode codeOf(Throwable failure) {
    return LedgerCodeException.codeOf(failure).orElse(LedgerCode.UNKNOWN);
  }

  private void coded(LedgerCode code) {
    metrics.coded(code);
    lastCode = code;
    switch (code) {
      case UNKNOWN_ACCOUNT -> {
        if (request.command() instanceof LedgerCommand.RecordUsage usage) {
          kept(usage);
        } else {
          noAccount();
        }
      }
      case CORRUPT ->
          giveUp(
              code,
              "account "
                  + account()
                  + " contradicts itself in the database; run `tollgrid verify` and repair it");
      case AUTHORITY_REGRESSED ->
          giveUp(
              code,
              "the database is older than what account "
                  + account()
                  + " already answered; restore the newer one");
      case REPLAY -> fetch(Ledger.ownRows(request.command()));
      case NO_FENCE, UNAVAILABLE, TOO_LATE -> retryLater(false);
      case STALE, FENCED, CLOCK_AHEAD, UNKNOWN -> retryLater(true);
    }
  }

  private void fetch(Collection<RowKey> keys) {
    rows(keys, this::attach);
  }

  private void rows(Collection<RowKey> keys, Consumer<Map<RowKey, Optional<StoredRow>>> then) {
    metrics.rowsFetched();
    if (++fetches > MAX_EAGER_FETCHES && fetches % MAX_EAGER_FETCHES == 1) {
      retryLater(true);
      return;
    }
    try {
      final var unused =
          grid.rows(account(), List.copyOf(keys))
              .whenCompleteAsync(
                  (rows, failure) -> guarded(() -> fetched(rows, failure, then)).run(), executor);
    } catch (RuntimeException e) {
      lastFailure = e;
      retryLater(false);
    }
  }

  private void fetched(
      @Nullable Map<RowKey, Optional<StoredRow>> rows,
      @Nullable Throwable failure,
      Consumer<Map<RowKey, Optional<StoredRow>>> then) {
    if (rows == null) {
      // Reading rows writes nothing: whatever went wrong, the command itself is where it was.
      lastFailure = failure;
      retryLater(false);
    } else {
      then.accept(rows);
    }
  }

  private void attach(Map<RowKey, Optional<StoredRow>> fetched) {
    final Map<RowKey, Optional<StoredRow>> rows = new HashMap<>(request.rows());
    rows.putAll(fetched);
    request = request.withRows(rows);
    attempt();
  }

  private void answer(Outcome outcome, LedgerReply reply) {
    result.complete(
        new LedgerAnswer(outcome, reply.version(), reply.ledgerTimeNanos(), reply.recall()));
  }

  /**
   * Tries again after a pause, unless the command's time is over; {@code afresh} lets memory and
   * attached rows go first.
   */
  private void retryLater(boolean afresh) {
    final long overdueNanos = clock.nowNanos() - request.notAfterNanos();
    if (overdueNanos > (mayHaveHappened() ? settings.settleNanos() : 0)) {
      giveUp(
          lastCode,
          mayHaveHappened()
              ? "the command may have taken effect: no owner could tell before the deadline"
              : "the command did not take effect before its deadline");
      return;
    }
    if (afresh) {
      request = request.withRows(Map.of());
    }
    try {
      final var unused =
          executor.schedule(guarded(() -> again(afresh)), backoffNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      giveUp(lastCode, "the ledger client was closed");
    }
  }

  private void again(boolean afresh) {
    if (!afresh) {
      attempt();
      return;
    }
    try {
      evictor.execute(guarded(this::afterEviction));
    } catch (RejectedExecutionException e) {
      giveUp(lastCode, "the ledger client was closed");
    }
  }

  private void afterEviction() {
    try {
      grid.evict(account());
    } catch (RuntimeException e) {
      // The next attempt meets the same memory and is refused by the store at worst.
      LOG.debug("could not evict account {}", account(), e);
    }
    attempt();
  }

  private long backoffNanos() {
    final int doublings =
        Math.min(retries++, Long.numberOfLeadingZeros(settings.firstBackoffNanos()) - 2);
    final long full =
        Math.min(settings.firstBackoffNanos() << doublings, settings.maxBackoffNanos());
    return full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1);
  }
}
