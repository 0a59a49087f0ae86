package io.tollgrid.node.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits for a condition, and says what was missing when it does not come about. */
public final class Eventually {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private Eventually() {}

  /** Waits until {@code condition} holds; its failures count as "not yet". */
  public static void until(String what, Duration patience, Callable<Boolean> condition) {
    final long endNanos = System.nanoTime() + patience.toNanos();
    @Nullable Exception last = null;
    do {
      try {
        if (condition.call()) {
          return;
        }
        last = null;
      } catch (Exception e) {
        last = e;
      }
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    } while (System.nanoTime() < endNanos);
    throw new AssertionError("not within " + patience + ": " + what, last);
  }
}
