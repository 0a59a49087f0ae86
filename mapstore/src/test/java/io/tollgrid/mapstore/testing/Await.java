package io.tollgrid.mapstore.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition, never for a time; the test's own timeout bounds it. */
public final class Await {
  private static final long LOOK_AGAIN = Duration.ofMillis(1).toNanos();

  private Await() {}

  /** Returns once {@code condition} holds. */
  public static void until(Callable<Boolean> condition) throws Exception {
    while (!condition.call()) {
      LockSupport.parkNanos(LOOK_AGAIN);
    }
  }
}
