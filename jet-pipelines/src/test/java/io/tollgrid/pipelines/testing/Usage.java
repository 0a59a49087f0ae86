package io.tollgrid.pipelines.testing;

import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.usage.GridUsageInbox;
import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Usage for the ingest of a real member. */
public final class Usage {
  private static final Id128 WRITER = new Id128(3, 3);
  private static final int EVENTS = 6;

  private Usage() {}

  /** An account. */
  public static Id128 account(int n) {
    return new Id128(0xACC, n);
  }

  /** A batch of six events, two of each of the accounts 0 to 2. */
  public static UsageBatch batch(long number) {
    return new UsageBatch(
        WRITER,
        number,
        IntStream.range(0, EVENTS)
            .mapToObj(i -> new UsageDelivery(account(i % 3), event(number * EVENTS + i)))
            .toList());
  }

  private static UsageEvent event(long sequence) {
    return new UsageEvent(
        Id128.timeOrdered(1_700_000_000_000L, 1, sequence),
        0,
        LegRole.BILLING,
        new Funding.Unfunded(),
        1,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        1_700_000_000_000_000_000L,
        WRITER,
        sequence);
  }

  /** Leaves {@link #batch} as a writer does. */
  public static UsageVerdicts leave(HazelcastInstance member, long number) {
    return with(member, inbox -> inbox.leave(batch(number)));
  }

  /** What is known of {@link #batch}, or nothing if it is not there. */
  public static UsageVerdicts known(HazelcastInstance member, long number) {
    return with(
        member,
        inbox ->
            inbox
                .ask(batch(number), -1)
                .thenApply(answer -> answer.orElse(UsageVerdicts.none(EVENTS))));
  }

  /** Takes {@link #batch} away. */
  public static void forget(HazelcastInstance member, long number) {
    try (GridUsageInbox inbox = new GridUsageInbox(member, Duration.ofSeconds(10))) {
      inbox.forget(batch(number));
    }
  }

  private static <T> T with(
      HazelcastInstance member, Function<GridUsageInbox, CompletionStage<T>> question) {
    try (GridUsageInbox inbox = new GridUsageInbox(member, Duration.ofSeconds(10))) {
      return question.apply(inbox).toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
  }

  /** A ledger's answer: all of it is recorded. */
  public static CompletionStage<LedgerAnswer> record(ScriptedLedgers.Command command) {
    final int events = ((LedgerCommand.RecordUsage) command.command()).events().size();
    return ScriptedLedgers.answer(
        new Outcome.UsageRecorded(Collections.nCopies(events, UsageVerdict.UNFUNDED)));
  }
}
