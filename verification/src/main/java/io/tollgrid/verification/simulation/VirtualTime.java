package io.tollgrid.verification.simulation;

/** True time, epoch nanoseconds, which is also the store's; every process sees it with a skew. */
final class VirtualTime {
  private long trueNanos = Scale.START_NANOS;

  long nowNanos() {
    return trueNanos;
  }

  void advance(long nanos) {
    trueNanos += nanos;
  }
}
