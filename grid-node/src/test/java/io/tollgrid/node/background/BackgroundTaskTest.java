package io.tollgrid.node.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.node.testing.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Witnesses R39 (a dead task is noticed) and R40 (no failure is silent). */
class BackgroundTaskTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void aWakeRunsAPassLongBeforeItsInterval() {
    final AtomicInteger passes = new AtomicInteger();
    try (BackgroundTask task = new BackgroundTask("test", LONG, passes::incrementAndGet)) {
      task.start();
      Eventually.until("the first pass", PATIENCE, () -> passes.get() == 1);

      task.wake();

      Eventually.until("the pass that was asked for", PATIENCE, () -> passes.get() == 2);
      assertThat(task.alive()).isTrue();
    }
  }

  @Test
  void aFailedPassIsCountedAndTriedAgain() {
    final AtomicInteger passes = new AtomicInteger();
    try (BackgroundTask task =
        new BackgroundTask(
            "test",
            Duration.ofMillis(1),
            () -> {
              if (passes.incrementAndGet() <= 3) {
                throw new IOException("away");
              }
            })) {
      task.start();

      Eventually.until("a pass that works", PATIENCE, () -> passes.get() > 4);
      assertThat(task.failures()).isEqualTo(3);
      assertThat(task.failureStreak()).isZero();
      assertThat(task.alive()).isTrue();
    }
  }

  @Test
  void anErrorEndsTheTaskAndItSaysSo() {
    try (BackgroundTask task =
        new BackgroundTask(
            "test",
            LONG,
            () -> {
              throw new AssertionError("planted");
            })) {
      task.start();

      Eventually.until("its death", PATIENCE, () -> !task.alive());
    }
  }

  @Test
  void aTaskThatDoesNotRunIsNotAlive() {
    final BackgroundTask task = new BackgroundTask("test", LONG, () -> {});

    assertThat(task.alive()).isFalse();
    task.start();
    task.close();
    assertThat(task.alive()).isFalse();
  }

  @Test
  void aPassThatHangsIsLeftBehindInTime() throws InterruptedException {
    final CountDownLatch hangs = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    final BackgroundTask task =
        new BackgroundTask(
            "test",
            LONG,
            () -> {
              hangs.countDown();
              awaitUninterruptibly(release);
            });
    task.start();
    assertThat(hangs.await(30, TimeUnit.SECONDS)).isTrue();

    task.close(Duration.ofMillis(50));

    assertThat(task.alive()).isFalse();
    release.countDown();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean done = false;
    while (!done) {
      try {
        latch.await();
        done = true;
      } catch (InterruptedException e) {
        // What hangs does not listen.
        done = false;
      }
    }
  }
}
