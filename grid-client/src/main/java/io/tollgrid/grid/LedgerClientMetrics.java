package io.tollgrid.grid;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.LedgerCode;
import java.util.EnumMap;
import java.util.Map;

/**
 * How the attempts of a client's commands ended, {@code tollgrid.ledger.attempts} by result, and
 * how many commands the chains carried, {@code tollgrid.ledger.chain}.
 */
final class LedgerClientMetrics {
  private static final String NAME = "tollgrid.ledger.attempts";

  private final Map<LedgerCode, Counter> coded = new EnumMap<>(LedgerCode.class);
  private final Counter applied;
  private final Counter refused;
  private final Counter rowsFetched;
  private final DistributionSummary chains;

  LedgerClientMetrics(MeterRegistry registry) {
    for (final LedgerCode code : LedgerCode.values()) {
      coded.put(code, registry.counter(NAME, "result", code.name()));
    }
    applied = registry.counter(NAME, "result", "APPLIED");
    refused = registry.counter(NAME, "result", "REFUSED");
    rowsFetched = registry.counter(NAME, "result", "NEEDS_ROWS");
    chains =
        DistributionSummary.builder("tollgrid.ledger.chain")
            .description("Commands that left for their owner together")
            .register(registry);
  }

  /** A chain of this many commands leaves. */
  void left(int commands) {
    chains.record(commands);
  }

  void coded(LedgerCode code) {
    final Counter counter = coded.get(code);
    if (counter != null) {
      counter.increment();
    }
  }

  void applied() {
    applied.increment();
  }

  void refused() {
    refused.increment();
  }

  void rowsFetched() {
    rowsFetched.increment();
  }
}
