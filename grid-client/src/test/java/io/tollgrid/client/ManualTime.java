package io.tollgrid.client;

/** A clock that stands until a test moves it. */
final class ManualTime {
  static final long START_NANOS = 1_700_000_000_000_000_000L;
  private long nowNanos = START_NANOS;

  long nowNanos() {
    return nowNanos;
  }

  void advance(long nanos) {
    nowNanos = Math.addExact(nowNanos, nanos);
  }
}
