package io.tollgrid.node.embedding;

import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.ledger.policy.Subject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Introduces subjects that are denied as unknown, each once at a time. */
final class Newcomers {
  private final InstanceRuntime tollgrid;
  private final Set<Subject> asking = ConcurrentHashMap.newKeySet();

  Newcomers(InstanceRuntime tollgrid) {
    this.tollgrid = tollgrid;
  }

  /** An authenticated subject was denied as UNKNOWN_PRINCIPAL. Does not block. */
  void met(Subject subject) {
    if (asking.add(subject)) {
      final var unused =
          tollgrid
              .introduce(subject)
              .whenComplete((introduction, failure) -> asking.remove(subject));
    }
  }
}
