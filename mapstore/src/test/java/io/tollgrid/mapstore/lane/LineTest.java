package io.tollgrid.mapstore.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MockClock;
import io.tollgrid.mapstore.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses the bounds of architecture §3.3: callers are turned away beyond a number and an age, a
 * batch never holds one account twice, and no caller returns interrupted.
 */
@Timeout(30)
class LineTest {
  private static final long MAX_AGE = Duration.ofSeconds(2).toNanos();

  private final MockClock clock = new MockClock();
  private final ExecutorService callers = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    callers.shutdownNow();
  }

  @Test
  void aBatchIsWhateverWaits() {
    final Line<String, String> line = line(10);
    final List<CompletableFuture<String>> asked = ask(line, "a", "b", "c");

    final List<Ticket<String, String>> batch = line.take(100);
    batch.forEach(ticket -> ticket.answer(ticket.question() + "!"));

    assertThat(batch).extracting(Ticket::question).containsExactly("a", "b", "c");
    assertThat(answers(asked)).containsExactly("a!", "b!", "c!");
  }

  @Test
  void oneIdentityWaitsForTheNextBatch() {
    final Line<String, String> line = line(10);
    ask(line, "a1", "b1", "a2", "c1");

    assertThat(line.take(100)).extracting(Ticket::question).containsExactly("a1", "b1", "c1");
    assertThat(line.take(100)).extracting(Ticket::question).containsExactly("a2");
  }

  @Test
  void aBatchHoldsNoMoreThanItsWeight() {
    final Line<String, String> line =
        new Line<>(10, MAX_AGE, clock, why -> why, q -> q, String::length);
    ask(line, "xxxx", "yyy", "z");

    assertThat(line.take(5)).extracting(Ticket::question).containsExactly("xxxx");
    assertThat(line.take(2)).extracting(Ticket::question).containsExactly("yyy");
    assertThat(line.take(2)).extracting(Ticket::question).containsExactly("z");
  }

  @Test
  void beyondItsNumberCallersAreTurnedAwayAtOnce() {
    final Line<String, String> line = line(2);
    final List<CompletableFuture<String>> asked = ask(line, "a", "b");

    assertThat(line.ask("c")).isEqualTo("2 callers wait already");

    line.take(100).forEach(ticket -> ticket.answer("served"));
    assertThat(answers(asked)).containsExactly("served", "served");
    final CompletableFuture<String> next = ask(line, "c").get(0);
    line.take(100).forEach(ticket -> ticket.answer("served too"));
    assertThat(next.join()).isEqualTo("served too");
  }

  @Test
  void whenTheOldestIsTooOldCallersAreTurnedAwayAtOnceAlsoWhileItIsBeingServed() {
    final Line<String, String> line = line(10);
    final CompletableFuture<String> stuck = ask(line, "stuck").get(0);
    final Ticket<String, String> taken = line.take(100).get(0);
    clock.add(MAX_AGE + 1, TimeUnit.NANOSECONDS);

    assertThat(line.ask("next")).startsWith("the oldest of 1 callers waits");

    taken.answer("late");
    assertThat(stuck.join()).isEqualTo("late");
    final CompletableFuture<String> next = ask(line, "next").get(0);
    line.take(100).forEach(ticket -> ticket.answer("served"));
    assertThat(next.join()).isEqualTo("served");
  }

  @Test
  void whoWaitsInVainLeavesAndIsNeverServed() {
    final Line<String, String> line =
        new Line<>(
            10,
            Duration.ofMillis(50).toNanos(),
            io.micrometer.core.instrument.Clock.SYSTEM,
            why -> why,
            q -> q,
            q -> 1);

    assertThat(line.ask("a")).isEqualTo("nobody took the question in time");

    assertThat(line.waitingCallers()).isZero();
  }

  @Test
  void anInterruptedCallerWaitsOnAndReturnsWithItsFlagClear() {
    final Line<String, String> line = line(10);
    final AtomicBoolean interruptedAfterwards = new AtomicBoolean(true);
    final CompletableFuture<String> answer = new CompletableFuture<>();
    final Thread caller =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              final String got = line.ask("a");
              interruptedAfterwards.set(Thread.currentThread().isInterrupted());
              answer.complete(got);
            });
    caller.start();
    final List<Ticket<String, String>> batch = line.take(100);
    caller.interrupt();
    batch.forEach(ticket -> ticket.answer("done"));

    assertThat(answer.join()).isEqualTo("done");
    assertThat(interruptedAfterwards).isFalse();
  }

  @Test
  void aClosedLineServesThoseInItAndNobodyElse() {
    final Line<String, String> line = line(10);
    final List<CompletableFuture<String>> asked = ask(line, "a");
    line.close();

    assertThat(line.ask("b")).isEqualTo("it is closed");
    line.take(100).forEach(ticket -> ticket.answer("served"));
    assertThat(answers(asked)).containsExactly("served");
    assertThat(line.take(100)).isNull();
  }

  private Line<String, String> line(int maxCallers) {
    return new Line<>(maxCallers, MAX_AGE, clock, why -> why, q -> q.substring(0, 1), q -> 1);
  }

  /** Callers in the line in this order. */
  private List<CompletableFuture<String>> ask(Line<String, String> line, String... questions) {
    final List<CompletableFuture<String>> asked = new ArrayList<>();
    for (final String question : questions) {
      final int before = line.waitingCallers();
      asked.add(CompletableFuture.supplyAsync(() -> line.ask(question), callers));
      awaitOneMoreThan(before, line);
    }
    return asked;
  }

  private static void awaitOneMoreThan(int before, Line<String, String> line) {
    try {
      Await.until(() -> line.waitingCallers() > before);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> answers(List<CompletableFuture<String>> asked) {
    return asked.stream().map(CompletableFuture::join).toList();
  }
}
