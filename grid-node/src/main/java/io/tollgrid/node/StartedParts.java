package io.tollgrid.node;

import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started and must be stopped: the latest first, all of it, under one deadline (R41).
 *
 * <p>A part that fails to stop is logged and does not keep the others running. Used by one thread
 * at a time.
 */
final class StartedParts {
  private static final Logger LOG = LoggerFactory.getLogger(StartedParts.class);

  /** One step of a stop; it gets what is left until the deadline. */
  interface Stop {
    void within(Duration left) throws Exception;
  }

  private record Part(String name, Stop stop) {}

  private final Duration timeout;
  private final LedgerClock clock;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final List<Part> last = new ArrayList<>();

  StartedParts(Duration timeout, LedgerClock clock) {
    this.timeout = timeout;
    this.clock = clock;
  }

  /** Notes a part that was just started. */
  <T extends AutoCloseable> T add(String name, T part) {
    addStep(name, left -> part.close());
    return part;
  }

  /** Notes a part whose stop needs to know what is left. */
  void addStep(String name, Stop stop) {
    parts.push(new Part(name, stop));
  }

  /** Notes a part that must outlive all others. */
  <T extends AutoCloseable> T addLast(String name, T part) {
    last.add(new Part(name, left -> part.close()));
    return part;
  }

  /** Stops everything. */
  void stopAll() {
    final ShutdownDeadline deadline = ShutdownDeadline.after(clock, timeout);
    while (!parts.isEmpty()) {
      stop(parts.pop(), deadline);
    }
    last.forEach(part -> stop(part, deadline));
    last.clear();
  }

  private static void stop(Part part, ShutdownDeadline deadline) {
    LOG.debug("stopping {}", part.name());
    try {
      part.stop().within(deadline.left());
    } catch (Exception e) {
      LOG.warn("{} did not stop as it should", part.name(), e);
    }
  }
}
