package io.tollgrid.verification.faults.soak;

import io.tollgrid.client.InstanceGrid;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Recall;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * A grid that takes the time of what an instance asks of it: how long a refill takes, and how long
 * a batch of usage is without an answer. Thread-safe.
 */
final class TimedGrid {
  /** Begins the names of its times. */
  static final String TIME = "millis.";

  private static final int DIGITS = 2;
  private static final double MEDIAN = 50;
  private static final double TAIL = 99;

  private final ConcurrentHistogram refills = new ConcurrentHistogram(DIGITS);
  private final ConcurrentHistogram steps = new ConcurrentHistogram(DIGITS);
  private final ConcurrentHistogram leaving = new ConcurrentHistogram(DIGITS);
  private final ConcurrentHistogram answers = new ConcurrentHistogram(DIGITS);
  private final Map<String, Long> left = new ConcurrentHashMap<>();

  /** The grid with its times taken. */
  InstanceGrid over(InstanceGrid grid) {
    return new InstanceGrid(
        new Ledgers(grid.ledgers()), grid.policies(), grid.changes(), new Inbox(grid.usage()));
  }

  /** Forgets what was taken. */
  void reset() {
    refills.reset();
    steps.reset();
    leaving.reset();
    answers.reset();
  }

  /** Median and tail of each time, milliseconds. */
  void countInto(Map<String, String> counts) {
    count("refill", refills, counts);
    count("step", steps, counts);
    count("leave", leaving, counts);
    count("answer", answers, counts);
  }

  private static void count(String what, ConcurrentHistogram of, Map<String, String> counts) {
    counts.put(TIME + what + ".p50", Long.toString(of.getValueAtPercentile(MEDIAN)));
    counts.put(TIME + what + ".p99", Long.toString(of.getValueAtPercentile(TAIL)));
  }

  private static void took(ConcurrentHistogram what, long sinceNanos) {
    what.recordValue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos));
  }

  private final class Ledgers implements LedgerClient {
    private final LedgerClient client;

    Ledgers(LedgerClient client) {
      this.client = client;
    }

    @Override
    public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
      return timed(request.command(), client.submit(request));
    }

    @Override
    public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
      return timed(command, client.submit(account, command));
    }

    private CompletionStage<LedgerAnswer> timed(
        LedgerCommand command, CompletionStage<LedgerAnswer> answer) {
      final long sinceNanos = System.nanoTime();
      final boolean isRefill =
          command instanceof LedgerCommand.Acquire || command instanceof LedgerCommand.Consolidate;
      final var unused = answer.thenRun(() -> took(isRefill ? refills : steps, sinceNanos));
      return answer;
    }

    @Override
    public CompletionStage<Optional<Recall>> recall(Id128 account) {
      return client.recall(account);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private final class Inbox implements UsageInbox {
    private final UsageInbox inbox;

    Inbox(UsageInbox inbox) {
      this.inbox = inbox;
    }

    @Override
    public CompletionStage<UsageVerdicts> leave(UsageBatch batch) {
      final long sinceNanos = System.nanoTime();
      left.putIfAbsent(batch.key(), sinceNanos);
      final CompletionStage<UsageVerdicts> stage = inbox.leave(batch);
      final var unused = stage.thenRun(() -> took(leaving, sinceNanos));
      return stage;
    }

    @Override
    public CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known) {
      return inbox.ask(batch, known);
    }

    @Override
    public void forget(UsageBatch batch) {
      final Long sinceNanos = left.remove(batch.key());
      if (sinceNanos != null) {
        took(answers, sinceNanos);
      }
      inbox.forget(batch);
    }

    @Override
    public void close() {
      inbox.close();
    }
  }
}
