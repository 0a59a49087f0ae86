package io.tollgrid.node.demo;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One worker of a service that calls a language model: prompts of a few thousand tokens, answers
 * whose length is known only afterwards. Owned by its thread.
 */
final class DemoWorker implements Runnable {
  private static final long FIXED_PRICE_UNITS = 250;
  private static final long OUTPUT_ESTIMATE_UNITS = 64;
  private static final double MEDIAN_PROMPT_TOKENS = 1_200;
  private static final double MEDIAN_ANSWER_TOKENS = 40;
  private static final double SPREAD = 0.9;
  private static final long LONGEST_TOKENS = 30_000;
  private static final long THINK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final AdmissionRequest request;
  private final Operation completion;
  private final List<DemoAccount> population;
  private final LedgerClock clock;
  private final SplittableRandom random;
  private final DemoTally tally;
  private final AtomicBoolean stopped;

  DemoWorker(
      AdmissionRequest request,
      Operation completion,
      List<DemoAccount> population,
      LedgerClock clock,
      SplittableRandom random,
      DemoTally tally,
      AtomicBoolean stopped) {
    this.request = request;
    this.completion = completion;
    this.population = population;
    this.clock = clock;
    this.random = random;
    this.tally = tally;
    this.stopped = stopped;
  }

  @Override
  public void run() {
    try (request) {
      while (!stopped.get()) {
        serve(population.get(random.nextInt(population.size())));
        LockSupport.parkNanos(random.nextLong(2 * THINK_NANOS));
      }
    }
  }

  private void serve(DemoAccount account) {
    final boolean fixed = account.temper() == DemoAccount.Temper.FIXED_PRICE;
    final long prompt = fixed ? FIXED_PRICE_UNITS : tokens(MEDIAN_PROMPT_TOKENS);
    final long quote = fixed ? FIXED_PRICE_UNITS : prompt + OUTPUT_ESTIMATE_UNITS;
    final Denial denial = start(account, quote);
    if (denial != null) {
      tally.denied(denial);
      return;
    }
    LockSupport.parkNanos(random.nextLong(2 * WORK_NANOS));
    final long actual = fixed ? FIXED_PRICE_UNITS : prompt + tokens(MEDIAN_ANSWER_TOKENS);
    if (actual > quote) {
      final Denial refused = request.extend(actual - quote, clock.nowNanos());
      if (refused != null) {
        tally.denied(refused);
      }
    }
    request.settle(actual, clock.nowNanos());
    tally.served(request.settledUnits(), request.unfundedUnits());
  }

  private @Nullable Denial start(DemoAccount account, long quote) {
    Denial denial = request.begin(account.id(), clock.nowNanos());
    if (denial == null) {
      denial = request.admit(completion, quote, clock.nowNanos());
    }
    return denial != null ? denial : request.start(clock.nowNanos());
  }

  /** Log-normal around a median, as token counts are. */
  private long tokens(double median) {
    final double drawn = median * Math.exp(SPREAD * random.nextGaussian());
    return Math.max(1, Math.min((long) drawn, LONGEST_TOKENS));
  }
}
