package io.tollgrid.client;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that usage has no answer, for all batches together and not too often (R40). One thread. */
final class UnansweredUsage {
  private static final Logger LOG = LoggerFactory.getLogger(UnansweredUsage.class);
  private static final long AT_MOST_EVERY_NANOS = 10_000_000_000L;

  private final InstanceLoop loop;
  private long quietUntilNanos = Long.MIN_VALUE;

  UnansweredUsage(final InstanceLoop loop) {
    this.loop = loop;
  }

  void warn(final int events, final int open, final String why) {
    final long now = loop.nowNanos();
    if (now >= quietUntilNanos) {
      quietUntilNanos = now + AT_MOST_EVERY_NANOS;
      LOG.warn(
          "{} usage events of a batch have no answer yet, {}; with all others {} are kept",
          events,
          why,
          open);
    }
  }
}
