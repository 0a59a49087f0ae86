package io.tollgrid.pipelines.sweep;

import io.tollgrid.client.Backoff;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has due accounts served on this member, a bounded number at once.
 *
 * <p>An account has at most one command under way. One that fails waits longer each time, and the
 * failed together may take only their share of what is under way at once, so that they delay each
 * other and nobody else. Passes offer them again and again; until it is their time they are passed
 * over. What is not offered any more is forgotten: somebody else has dealt with it, or owns it.
 * Thread-safe; nothing here throws, every failure is an outcome that is counted.
 */
final class AccountSweep {
  private static final Logger LOG = LoggerFactory.getLogger(AccountSweep.class);
  private static final long WARN_AT_MOST_EVERY_NANOS = Duration.ofSeconds(10).toNanos();

  /** Commands one offer may lead to, where one command cannot take all that is due. */
  private static final int ROUNDS = 32;

  private record Failing(int streak, long notBeforeNanos, long seenNanos) {
    Failing seen(long nowNanos) {
      return new Failing(streak, notBeforeNanos, nowNanos);
    }

    boolean isStuck() {
      return streak >= Backoff.FIRST_WARNING;
    }
  }

  /** One account's turn. */
  private record Turn(LedgerClient client, Id128 account, long cutoffNanos, boolean retries) {}

  private final Sweep sweep;
  private final Supplier<@Nullable LedgerClient> ledgers;
  private final LedgerClock clock;
  private final SweepSettings settings;
  private final SweepReport report;

  // guarded by this
  private final Set<Id128> underWay = new HashSet<>();
  private final Map<Id128, Failing> failing = new HashMap<>();
  private final SplittableRandom random = new SplittableRandom();
  private int retriesUnderWay;
  private long warnFromNanos = Long.MIN_VALUE;

  /**
   * @param ledgers where commands go; null while nobody may be served
   */
  AccountSweep(
      Sweep sweep,
      Supplier<@Nullable LedgerClient> ledgers,
      LedgerClock clock,
      SweepSettings settings,
      SweepReport report) {
    this.sweep = sweep;
    this.ledgers = ledgers;
    this.clock = clock;
    this.settings = settings;
    this.report = report;
    report.watchWaiting(this::waiting);
  }

  /**
   * Takes an account on, or passes over it because it is being served or waits.
   *
   * @param cutoffNanos the pass's cutoff
   * @return false if there is no room now: offer it again
   */
  boolean offer(Id128 account, long cutoffNanos) {
    final @Nullable LedgerClient client = ledgers.get();
    if (client == null) {
      return false;
    }
    final Turn turn;
    synchronized (this) {
      final long now = clock.nowNanos();
      final @Nullable Failing before =
          failing.computeIfPresent(account, (id, was) -> was.seen(now));
      if (mustWait(account, before, now)) {
        report.heldBack();
        return true;
      }
      if (before == null
          && underWay.size() - retriesUnderWay
              >= settings.underWay() - settings.retriesUnderWay()) {
        return false;
      }
      turn = new Turn(client, account, cutoffNanos, before != null);
      underWay.add(account);
      retriesUnderWay += turn.retries() ? 1 : 0;
    }
    serve(turn, 1);
    return true;
  }

  private boolean mustWait(Id128 account, @Nullable Failing before, long now) {
    return underWay.contains(account)
        || (before != null
            && (now < before.notBeforeNanos() || retriesUnderWay >= settings.retriesUnderWay()));
  }

  private void serve(Turn turn, int round) {
    final var unused =
        submit(turn).whenComplete((answer, failure) -> answered(turn, round, answer, failure));
  }

  private CompletionStage<LedgerAnswer> submit(Turn turn) {
    try {
      return turn.client().submit(turn.account(), sweep.command(turn.cutoffNanos()));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void answered(
      Turn turn, int round, @Nullable LedgerAnswer answer, @Nullable Throwable failure) {
    if (answer == null) {
      failed(turn, LedgerCallException.codeOf(failure).name());
    } else if (answer.outcome() instanceof Outcome.Applied applied) {
      report.applied(applied);
      if (applied instanceof Outcome.Reclaimed reclaimed
          && reclaimed.saturated()
          && round < ROUNDS) {
        serve(turn, round + 1);
      } else {
        report.served();
        ended(turn);
      }
    } else if (answer.outcome() instanceof Outcome.Refused refused
        && refused.reason() == sweep.nothingLeft()) {
      report.nothingWasLeft();
      ended(turn);
    } else {
      failed(turn, codeOf(answer.outcome()));
    }
  }

  private static String codeOf(Outcome outcome) {
    return outcome instanceof Outcome.Refused refused
        ? refused.reason().name()
        : LedgerCode.UNKNOWN.name();
  }

  private synchronized void ended(Turn turn) {
    leave(turn);
    failing.remove(turn.account());
  }

  private void leave(Turn turn) {
    underWay.remove(turn.account());
    retriesUnderWay -= turn.retries() ? 1 : 0;
  }

  private void failed(Turn turn, String code) {
    report.failed(code);
    final int streak;
    final boolean warns;
    synchronized (this) {
      leave(turn);
      final long now = clock.nowNanos();
      final @Nullable Failing before = failing.get(turn.account());
      streak = before == null ? 1 : before.streak() + 1;
      if (before != null || failing.size() < settings.waiting()) {
        failing.put(turn.account(), new Failing(streak, now + pauseNanos(streak), now));
      }
      warns = Backoff.isWorthAWarning(streak) && now >= warnFromNanos;
      if (warns) {
        warnFromNanos = now + WARN_AT_MOST_EVERY_NANOS;
      }
    }
    if (warns) {
      LOG.warn(
          "{} cannot serve {} accounts; one of them, {}, has failed {} times in a row, the last"
              + " time with {}. The others are served.",
          sweep.label(),
          waiting(),
          turn.account(),
          streak,
          code);
    }
  }

  private long pauseNanos(int streak) {
    return Backoff.nanos(
        settings.firstBackoffNanos(), settings.longestBackoffNanos(), streak - 1, random);
  }

  /** Accounts that failed the last time and are still due. */
  synchronized int waiting() {
    forget();
    return failing.size();
  }

  /** Those of them that failed often enough to deserve a person's attention. */
  synchronized int stuck() {
    forget();
    return (int) failing.values().stream().filter(Failing::isStuck).count();
  }

  private void forget() {
    final long horizonNanos = clock.nowNanos() - settings.longestBackoffNanos();
    failing.values().removeIf(each -> each.seenNanos() < horizonNanos);
  }
}
