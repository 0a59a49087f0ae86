package io.tollgrid.admission.time;

import io.tollgrid.ledger.port.LedgerClock;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A clock that ticks: reading it costs a load from memory, and it is at most one tick and the
 * scheduler's delay behind the clock it follows.
 *
 * <p>Lag makes a lease lapse late by as much, so it counts into the margin (R57). It never goes
 * backward, whatever the clock it follows does. While that fails, the time stands still, which is
 * counted. Safe for use by any thread.
 */
public final class CoarseClock implements LedgerClock, AutoCloseable {
  private final LedgerClock source;
  private final long tickNanos;
  private final Thread ticker;
  private volatile long nowNanos;
  private volatile boolean closed;

  /** Written by the ticker only. */
  private volatile long failures;

  private volatile @Nullable RuntimeException lastFailure;

  /**
   * A clock that ticks from now on.
   *
   * @param source the clock it follows
   * @param tickNanos how long a tick is, positive
   */
  public CoarseClock(final LedgerClock source, final long tickNanos) {
    if (tickNanos < 1) {
      throw new IllegalArgumentException("a tick cannot take " + tickNanos + " ns");
    }
    this.source = source;
    this.tickNanos = tickNanos;
    this.nowNanos = source.nowNanos();
    this.ticker = new Thread(this::tick, "tollgrid-clock");
    ticker.setDaemon(true);
    ticker.start();
  }

  /** The time of the last tick, epoch nanoseconds. */
  @Override
  public long nowNanos() {
    return nowNanos;
  }

  /** How many ticks were missed because the clock it follows failed. */
  public long failures() {
    return failures;
  }

  /** How the clock it follows failed last, or null if it never did. */
  public @Nullable RuntimeException lastFailure() {
    return lastFailure;
  }

  /** Stops ticking: the time stands still. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(ticker);
  }

  private void tick() {
    while (!closed) {
      follow();
      LockSupport.parkNanos(this, tickNanos);
    }
  }

  private void follow() {
    final long read;
    try {
      read = source.nowNanos();
    } catch (RuntimeException e) {
      lastFailure = e;
      final long before = failures;
      failures = before + 1;
      return;
    }
    if (read > nowNanos) {
      nowNanos = read;
    }
  }
}
