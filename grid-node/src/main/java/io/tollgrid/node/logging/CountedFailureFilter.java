package io.tollgrid.node.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Leaves out what the grid reports of answers that are not failures: a store that says STALE,
 * FENCED or REPLAY throws, the grid logs every throw as an error, and a takeover has hundreds. The
 * committer counts each by its code; an outcome that is unknown carries none and is logged.
 */
public final class CountedFailureFilter extends Filter<ILoggingEvent> {
  private static final String GRID = "com.hazelcast.";
  private static final String CODED = "[tollgrid:";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    return event.getLoggerName().startsWith(GRID) && event.getFormattedMessage().contains(CODED)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
