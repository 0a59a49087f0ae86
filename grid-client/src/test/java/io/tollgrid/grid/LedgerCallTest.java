package io.tollgrid.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.port.LedgerCodeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R16 (retries converge), R3 (a refusal after an unknown attempt is unknown) and R40
 * (patience is bounded).
 */
@Timeout(20)
class LedgerCallTest {
  private static final Id128 ACCOUNT = new Id128(1, 2);
  private static final Id128 COMMAND = new Id128(3, 4);
  private static final long SECOND = 1_000_000_000L;
  private static final LedgerCommand DEPOSIT = new LedgerCommand.Deposit(COMMAND, 5);
  private static final LedgerReply FUNDED =
      new LedgerReply(null, new Outcome.Funded(5, 2), 2, 1, null);

  private final AtomicLong now = new AtomicLong(1_000 * SECOND);
  private final ScriptedGrid grid = new ScriptedGrid();
  private final GridLedgerClient client =
      new GridLedgerClient(
          grid,
          ChangeFeed.silent(),
          new LedgerClientSettings(
              "test", 10 * SECOND, 20 * SECOND, SECOND / 2, 1_000, 1_000_000, 3),
          null,
          () -> now.addAndGet(SECOND / 100),
          new SimpleMeterRegistry());

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void anAppliedCommandIsAnsweredAtOnce() {
    grid.reply(FUNDED);

    assertThat(deposit().outcome()).isEqualTo(new Outcome.Funded(5, 2));
    assertThat(grid.attempts()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = LedgerCode.class,
      names = {"STALE", "NO_FENCE", "FENCED", "CLOCK_AHEAD", "UNAVAILABLE", "TOO_LATE"})
  void aCodedAttemptIsRepeatedWithTheSameRequest(LedgerCode code) {
    grid.failure(new LedgerCodeException(code, "again")).reply(LedgerReply.of(code)).reply(FUNDED);

    assertThat(deposit().outcome()).isEqualTo(new Outcome.Funded(5, 2));
    assertThat(grid.attempts()).hasSize(3);
    assertThat(Set.copyOf(grid.attempts())).hasSize(1);
  }

  @Test
  void aCodeIsReadFromAnExceptionThatLostItsClass() {
    final String message = new LedgerCodeException(LedgerCode.UNKNOWN_ACCOUNT, "none").getMessage();
    grid.failure(
        new IllegalStateException(
            "rebuilt", new RuntimeException("java.lang.Whatever: " + message)));

    assertThat(deposit().outcome()).isEqualTo(new Outcome.Refused(Refusal.UNKNOWN_ACCOUNT, null));
  }

  @Test
  void aRefusalAfterAnUnknownAttemptIsNotBelieved() {
    grid.failure(new IllegalStateException("connection lost"))
        .reply(refused(Refusal.BALANCE_EXHAUSTED, now.get()))
        .reply(refused(Refusal.BALANCE_EXHAUSTED, now.get()))
        .reply(FUNDED);

    assertThat(deposit().outcome()).isEqualTo(new Outcome.Funded(5, 2));
    assertThat(grid.evictions()).isPositive();
  }

  @Test
  void anExpiryAfterAnUnknownAttemptIsFinalOnlyWhenNoStoreWouldAcceptTheAttemptAnyMore() {
    final LedgerRequest request = request(now.get() + SECOND);
    grid.failure(new IllegalStateException("connection lost"))
        .reply(refused(Refusal.EXPIRED, request.notAfterNanos() + SECOND))
        .reply(refused(Refusal.EXPIRED, request.notAfterNanos() + SECOND + 1));

    final LedgerAnswer answer = client.submit(request).toCompletableFuture().join();

    assertThat(answer.outcome()).isEqualTo(new Outcome.Refused(Refusal.EXPIRED, null));
    assertThat(grid.attempts()).hasSize(3);
  }

  /** Witnesses R40: an owner that hangs holds up its own accounts and nobody else's. */
  @Test
  void evictionsThatHangHoldUpNobodyElse() throws Exception {
    final int hanging = 20;
    final CountDownLatch open = new CountDownLatch(1);
    grid.evictionsWaitFor(open);
    for (int i = 0; i < hanging; i++) {
      grid.failure(new IllegalStateException("connection lost"));
    }
    grid.reply(FUNDED);
    final List<CompletableFuture<LedgerAnswer>> held = new ArrayList<>();
    for (int i = 0; i < hanging; i++) {
      held.add(client.submit(new Id128(9, i), DEPOSIT).toCompletableFuture());
    }
    while (grid.evictions() < 8) {
      Thread.sleep(1);
    }

    final LedgerAnswer answer =
        client.submit(ACCOUNT, DEPOSIT).toCompletableFuture().get(10, TimeUnit.SECONDS);
    assertThat(answer.outcome()).isEqualTo(new Outcome.Funded(5, 2));
    assertThat(held).noneMatch(CompletableFuture::isDone);

    open.countDown();
    for (final CompletableFuture<LedgerAnswer> one : held) {
      assertThat(one.join().outcome()).isEqualTo(new Outcome.Funded(5, 2));
    }
  }

  @Test
  void thatThereIsNoAccountIsNotBelievedAfterAnUnknownAttempt() {
    final LedgerCodeException none = new LedgerCodeException(LedgerCode.UNKNOWN_ACCOUNT, "none");
    grid.failure(new IllegalStateException("connection lost"))
        .failure(none)
        .failure(none)
        .reply(FUNDED);

    assertThat(deposit().outcome()).isEqualTo(new Outcome.Funded(5, 2));
  }

  @Test
  void thatThereIsNoAccountIsFinalOnceNoStoreWouldAcceptAnUnknownAttemptAnyMore() {
    grid.failure(new IllegalStateException("connection lost"))
        .failure(new LedgerCodeException(LedgerCode.UNKNOWN_ACCOUNT, "none"));
    final LedgerRequest request = request(now.get() + SECOND);
    final LedgerAnswer answer = client.submit(request).toCompletableFuture().join();

    assertThat(answer.outcome()).isEqualTo(new Outcome.Refused(Refusal.UNKNOWN_ACCOUNT, null));
    assertThat(answer.ledgerTimeNanos()).isGreaterThan(request.notAfterNanos() + SECOND);
  }

  @Test
  void aCreateThatFindsNoAccountAndMakesNoneHasExpired() {
    grid.failure(new LedgerCodeException(LedgerCode.UNKNOWN_ACCOUNT, "none"));
    final LedgerRequest request =
        new LedgerRequest(
            ACCOUNT,
            "test",
            now.get() + SECOND,
            new LedgerCommand.Create(
                COMMAND, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT));

    final LedgerAnswer answer = client.submit(request).toCompletableFuture().join();

    assertThat(answer.outcome()).isEqualTo(new Outcome.Refused(Refusal.EXPIRED, null));
    assertThat(answer.ledgerTimeNanos()).isGreaterThan(request.notAfterNanos());
  }

  @Test
  void aReplayIsResolvedWithTheRowsTheCommandWouldHaveCreated() {
    final Map<RowKey, Optional<io.tollgrid.ledger.StoredRow>> rows =
        Map.of(
            new RowKey.CommandKey(COMMAND),
            Optional.of(
                new io.tollgrid.ledger.StoredRow.CommandRow(
                    new Id128(9, 9), new Outcome.Funded(5, 2))));
    grid.rows(rows).failure(new LedgerCodeException(LedgerCode.REPLAY, "exists")).reply(FUNDED);

    deposit();

    assertThat(grid.fetches()).containsExactly(java.util.List.of(new RowKey.CommandKey(COMMAND)));
    assertThat(grid.attempts().get(1).rows()).isEqualTo(rows);
  }

  @Test
  void staleMemoryAlsoDropsTheRowsThatWereAttached() {
    final RowKey key = new RowKey.CommandKey(COMMAND);
    grid.rows(Map.of(key, Optional.empty()))
        .reply(new LedgerReply(null, new Outcome.NeedsRows(Set.of(key)), 0, 0, null))
        .failure(new LedgerCodeException(LedgerCode.STALE, "changed"))
        .reply(FUNDED);

    deposit();

    assertThat(grid.attempts().get(1).rows()).containsKey(key);
    assertThat(grid.attempts().get(2).rows()).isEmpty();
  }

  @Test
  void aCommandWithOnlyCodedFailuresMayHaveHappened() {
    grid.failure(new LedgerCodeException(LedgerCode.UNAVAILABLE, "down"));

    assertThatThrownBy(this::deposit)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            LedgerCallException.class,
            e -> {
              assertThat(e.code()).isEqualTo(LedgerCode.UNAVAILABLE);
              assertThat(e.mayHaveHappened()).isTrue();
            });
  }

  @Test
  void anExpiryAfterACodedFailureIsFinalAtOnce() {
    final LedgerRequest request = request(now.get() + SECOND);
    grid.failure(new LedgerCodeException(LedgerCode.NO_FENCE, "moving"))
        .reply(refused(Refusal.EXPIRED, request.notAfterNanos() + 1));

    final LedgerAnswer answer = client.submit(request).toCompletableFuture().join();

    assertThat(answer.outcome()).isEqualTo(new Outcome.Refused(Refusal.EXPIRED, null));
    assertThat(grid.attempts()).hasSize(2);
  }

  @Test
  void aCommandThatStaysUnknownSaysSoAfterItsPatience() {
    grid.failure(new IllegalStateException("connection lost"));

    assertThatThrownBy(this::deposit)
        .cause()
        .isInstanceOfSatisfying(
            LedgerCallException.class, e -> assertThat(e.mayHaveHappened()).isTrue());
  }

  @ParameterizedTest
  @EnumSource(
      value = LedgerCode.class,
      names = {"CORRUPT", "AUTHORITY_REGRESSED"})
  void whatOnlyAPersonCanMendEndsAtOnce(LedgerCode code) {
    grid.failure(new LedgerCodeException(code, "look"));

    assertThatThrownBy(this::deposit)
        .cause()
        .isInstanceOfSatisfying(
            LedgerCallException.class, e -> assertThat(e.code()).isEqualTo(code));
    assertThat(grid.attempts()).hasSize(1);
  }

  @Test
  void commandsOfOneAccountRunOneAfterTheOtherAndTheirQueueIsBounded() {
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.pending(first).reply(FUNDED);

    final var running = client.submit(ACCOUNT, new LedgerCommand.Deposit(COMMAND, 5));
    final var waiting = client.submit(ACCOUNT, new LedgerCommand.Deposit(new Id128(3, 5), 5));
    client.submit(ACCOUNT, new LedgerCommand.Deposit(new Id128(3, 6), 5));
    client.submit(ACCOUNT, new LedgerCommand.Deposit(new Id128(3, 7), 5));
    final var refused = client.submit(ACCOUNT, new LedgerCommand.Deposit(new Id128(3, 8), 5));

    assertThat(grid.attempts()).hasSize(1);
    assertThatThrownBy(() -> refused.toCompletableFuture().join())
        .cause()
        .isInstanceOfSatisfying(
            LedgerCallException.class, e -> assertThat(e.code()).isEqualTo(LedgerCode.UNAVAILABLE));
    first.complete(FUNDED);
    assertThat(running.toCompletableFuture().join().outcome()).isEqualTo(new Outcome.Funded(5, 2));
    assertThat(waiting.toCompletableFuture().join().outcome()).isEqualTo(new Outcome.Funded(5, 2));
  }

  @Test
  void whatWaitedPastItsDeadlineEndsWithoutAnAttempt() {
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.pending(first).reply(FUNDED);
    final var running = client.submit(ACCOUNT, DEPOSIT);
    final var waiting = client.submit(ACCOUNT, new LedgerCommand.Deposit(new Id128(3, 5), 5));

    now.addAndGet(11 * SECOND);
    first.complete(FUNDED);

    assertThat(outcome(running)).isEqualTo(FUNDED.outcome());
    assertThatThrownBy(() -> waiting.toCompletableFuture().join())
        .cause()
        .isInstanceOfSatisfying(
            LedgerCallException.class, e -> assertThat(e.mayHaveHappened()).isFalse());
    assertThat(grid.attempts()).hasSize(1);
    assertThat(outcome(client.submit(ACCOUNT, DEPOSIT))).isEqualTo(FUNDED.outcome());
  }

  @Test
  void aGridThatThrowsEndsThousandsOfWaitingCallsOneByOne() {
    final GridLedgerClient patient =
        new GridLedgerClient(
            grid,
            ChangeFeed.silent(),
            new LedgerClientSettings("test", 10 * SECOND, 0, 0, 1, 1, 20_000),
            null,
            () -> now.addAndGet(SECOND),
            new SimpleMeterRegistry());
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.pending(first)
        .thrown(new LedgerCodeException(LedgerCode.CORRUPT, "a grid that refuses calls at once"));
    final List<CompletableFuture<LedgerAnswer>> calls = new java.util.ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      final LedgerRequest request =
          new LedgerRequest(
              ACCOUNT, "test", Long.MAX_VALUE / 2, new LedgerCommand.Deposit(new Id128(3, i), 5));
      calls.add(patient.submit(request).toCompletableFuture());
    }

    first.complete(FUNDED);

    assertThat(calls.get(0).join()).isNotNull();
    assertThat(calls.subList(1, calls.size()))
        .allSatisfy(
            call ->
                assertThatThrownBy(call::join)
                    .cause()
                    .isInstanceOfSatisfying(
                        LedgerCallException.class,
                        e -> assertThat(e.code()).isEqualTo(LedgerCode.CORRUPT)));
    patient.close();
  }

  @Test
  void leaseCommandsThatWaitedLeaveTogether() {
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.pending(first).reply(granted(2), granted(3)).reply(FUNDED);

    final var calls = List.of(acquire(1), acquire(2), acquire(3), client.submit(ACCOUNT, DEPOSIT));
    first.complete(granted(1));

    for (int i = 0; i < 3; i++) {
      assertThat(outcome(calls.get(i))).isEqualTo(granted(i + 1).outcome());
    }
    assertThat(outcome(calls.get(3))).isEqualTo(FUNDED.outcome());
    assertThat(grid.chains()).extracting(List::size).containsExactly(1, 2, 1);
  }

  @Test
  void whatAChainDidNotGetToIsAskedAgainBehindWhatItStoppedAt() {
    final RowKey key = new RowKey.CommandKey(COMMAND);
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.rows(Map.of(key, Optional.empty()))
        .pending(first)
        .reply(granted(2), new LedgerReply(null, new Outcome.NeedsRows(Set.of(key)), 0, 0, null))
        .reply(granted(3))
        .reply(granted(4));

    final var calls = List.of(acquire(1), acquire(2), acquire(3), acquire(4));
    first.complete(granted(1));

    for (int i = 0; i < 4; i++) {
      assertThat(outcome(calls.get(i))).isEqualTo(granted(i + 1).outcome());
    }
    assertThat(grid.chains()).extracting(List::size).containsExactly(1, 3, 1, 1);
    assertThat(grid.attempts().get(2).rows()).containsKey(key);
  }

  @Test
  void aChainThatMayHaveTakenEffectIsTakenApartAndNoRefusalAfterItIsBelieved() {
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.pending(first)
        .failure(new IllegalStateException("connection lost"))
        .reply(refused(Refusal.BALANCE_EXHAUSTED, now.get()))
        .reply(granted(2))
        .reply(refused(Refusal.BALANCE_EXHAUSTED, now.get()))
        .reply(granted(3));

    final var calls = List.of(acquire(1), acquire(2), acquire(3));
    first.complete(granted(1));

    assertThat(outcome(calls.get(1))).isEqualTo(granted(2).outcome());
    assertThat(outcome(calls.get(2))).isEqualTo(granted(3).outcome());
    assertThat(grid.chains()).extracting(List::size).containsExactly(1, 2, 1, 1, 1, 1);
  }

  @Test
  void aChainOfWhichNothingWasWrittenIsTakenApartAndItsRefusalsAreFinal() {
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.pending(first)
        .failure(new LedgerCodeException(LedgerCode.STALE, "changed"))
        .reply(granted(2))
        .reply(refused(Refusal.BALANCE_EXHAUSTED, now.get()));

    final var calls = List.of(acquire(1), acquire(2), acquire(3));
    first.complete(granted(1));

    assertThat(outcome(calls.get(1))).isEqualTo(granted(2).outcome());
    assertThat(outcome(calls.get(2)))
        .isEqualTo(new Outcome.Refused(Refusal.BALANCE_EXHAUSTED, null));
  }

  @Test
  void twoStepsOfOneLeaseNeverLeaveTogether() {
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.pending(first).reply(granted(2), granted(3)).reply(granted(4));

    final var calls = List.of(acquire(1), giveBack(1), acquire(3), giveBack(2));
    first.complete(granted(1));

    calls.forEach(call -> assertThat(outcome(call)).isInstanceOf(Outcome.Granted.class));
    assertThat(grid.chains()).extracting(List::size).containsExactly(1, 2, 1);
  }

  @Test
  void whatAChainsCodeSaysOfOneCommandEndsNone() {
    final CompletableFuture<LedgerReply> first = new CompletableFuture<>();
    grid.pending(first)
        .failure(new LedgerCodeException(LedgerCode.CORRUPT, "a row of one of them"))
        .reply(granted(2))
        .reply(granted(3));

    final var calls = List.of(acquire(1), acquire(2), acquire(3));
    first.complete(granted(1));

    assertThat(outcome(calls.get(1))).isEqualTo(granted(2).outcome());
    assertThat(outcome(calls.get(2))).isEqualTo(granted(3).outcome());
  }

  @Test
  void aCallWhoseRowsCannotBeReadMayHaveHappened() {
    final RowKey key = new RowKey.CommandKey(COMMAND);
    grid.rowsFail(new IllegalStateException("the owner left"))
        .reply(new LedgerReply(null, new Outcome.NeedsRows(Set.of(key)), 0, 0, null));

    assertThatThrownBy(this::deposit)
        .cause()
        .isInstanceOfSatisfying(
            LedgerCallException.class, e -> assertThat(e.mayHaveHappened()).isTrue());
  }

  @Test
  void closingEndsWhatWaits() {
    grid.pending(new CompletableFuture<>());
    final var running = client.submit(ACCOUNT, new LedgerCommand.Deposit(COMMAND, 5));

    client.close();

    assertThatThrownBy(() -> running.toCompletableFuture().join())
        .cause()
        .isInstanceOfSatisfying(
            LedgerCallException.class, e -> assertThat(e.mayHaveHappened()).isTrue());
  }

  private CompletionStage<LedgerAnswer> acquire(long id) {
    return client.submit(
        ACCOUNT,
        new LedgerCommand.Acquire(
            new Id128(0, id), new Id128(7, 7), GrantPolicy.of(1, 1), 60 * SECOND, 0));
  }

  private CompletionStage<LedgerAnswer> giveBack(long step) {
    return client.submit(ACCOUNT, new LedgerCommand.Return(new Id128(0, 99), 1, step, 1));
  }

  private static Outcome outcome(CompletionStage<LedgerAnswer> call) {
    return call.toCompletableFuture().join().outcome();
  }

  private static LedgerReply granted(long id) {
    return new LedgerReply(
        null, new Outcome.Granted(new Id128(0, id), id, 1, 1, 0, null), id, 1, null);
  }

  private LedgerAnswer deposit() {
    return client
        .submit(ACCOUNT, new LedgerCommand.Deposit(COMMAND, 5))
        .toCompletableFuture()
        .join();
  }

  private static LedgerRequest request(long notAfterNanos) {
    return new LedgerRequest(ACCOUNT, "test", notAfterNanos, new LedgerCommand.Deposit(COMMAND, 5));
  }

  private static LedgerReply refused(Refusal reason, long ledgerTimeNanos) {
    return new LedgerReply(null, new Outcome.Refused(reason, null), 1, ledgerTimeNanos, null);
  }
}
