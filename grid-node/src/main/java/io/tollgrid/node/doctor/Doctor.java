package io.tollgrid.node.doctor;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.pipelines.Alarm;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Examines alarms, one after the other, on a scratch system that ends with it (R53). Not
 * thread-safe.
 */
public final class Doctor implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(10).toNanos();

  private final LedgerClock clock = new SystemClock();
  private final ScratchSystem system;

  /** Starts a scratch system; that takes some seconds. */
  public Doctor() {
    this(alarm -> false);
  }

  /**
   * @param blind alarms that never fire, so that one sees whether that is noticed
   */
  Doctor(Predicate<Alarm> blind) {
    this.system = new ScratchSystem(blind);
  }

  /** Runs the self-test of an alarm. */
  public Diagnosis examine(Alarm alarm) {
    return examine(alarm, PATIENCE);
  }

  /**
   * As {@link #examine(Alarm)}.
   *
   * @param firesWithin how long after its cause it may fire
   */
  Diagnosis examine(Alarm alarm, Duration firesWithin) {
    try {
      if (await(alarm, false, PATIENCE) == null) {
        return new Diagnosis(alarm, null, null, "it fires without its cause");
      }
      final SelfTest test = SelfTest.of(alarm, system);
      final @Nullable Duration fired;
      try {
        test.cause().run();
        fired = await(alarm, true, firesWithin);
      } finally {
        test.remedy().run();
      }
      if (fired == null) {
        return new Diagnosis(alarm, null, null, "it did not fire" + within(firesWithin));
      }
      final @Nullable Duration cleared = await(alarm, false, PATIENCE);
      return new Diagnosis(
          alarm, fired, cleared, cleared == null ? "it did not clear" + within(PATIENCE) : null);
    } catch (Exception e) {
      return new Diagnosis(alarm, null, null, "its cause cannot be made or taken away: " + e);
    }
  }

  private static String within(Duration patience) {
    return " within " + patience.toSeconds() + " s";
  }

  /** How long it took until the alarm fired, or not; null if it took too long. */
  private @Nullable Duration await(Alarm alarm, boolean fires, Duration patience) {
    final long began = clock.nowNanos();
    while (system.fires(alarm) != fires) {
      if (clock.nowNanos() - began > patience.toNanos()) {
        return null;
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    return Duration.ofNanos(clock.nowNanos() - began);
  }

  @Override
  public void close() {
    system.close();
  }
}
