package io.tollgrid.pipelines.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread brings about. */
public final class Eventually {
  private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(5).toNanos();

  private Eventually() {}

  /** Waits until {@code condition} holds. */
  public static void until(String what, BooleanSupplier condition) {
    final long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("not within a minute: " + what);
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }
}
