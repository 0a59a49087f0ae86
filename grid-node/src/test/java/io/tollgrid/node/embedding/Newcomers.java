package io.tollgrid.node.embedding;

import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.ledger.policy.Subject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Introduces subjects that are denied as unknown, each once in a while at most. */
final class Newcomers {
  private static final long AGAIN_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int REMEMBERED = 10_000;

  private final InstanceRuntime tollgrid;
  private final Map<Subject, Long> introducedAt = new ConcurrentHashMap<>();

  Newcomers(InstanceRuntime tollgrid) {
    this.tollgrid = tollgrid;
  }

  /** An authenticated subject was denied as UNKNOWN_PRINCIPAL. Does not block. */
  void met(Subject subject) {
    final long now = tollgrid.clock().nowNanos();
    if (introducedAt.size() >= REMEMBERED) {
      introducedAt.values().removeIf(at -> now - at >= AGAIN_NANOS);
    }
    if (introducedAt.size() < REMEMBERED
        && introducedAt.merge(subject, now, (at, then) -> then - at < AGAIN_NANOS ? at : then)
            == now) {
      final var unused = tollgrid.introduce(subject);
    }
  }
}
