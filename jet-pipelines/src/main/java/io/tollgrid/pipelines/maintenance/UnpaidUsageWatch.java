package io.tollgrid.pipelines.maintenance;

import io.tollgrid.ledger.UsageVerdict;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/**
 * Knows what was recorded lately that nobody paid for (R9, R20).
 *
 * <p>One thread makes the passes; what they saw may be asked by any.
 */
public final class UnpaidUsageWatch {
  /** What it asks of PostgreSQL. */
  @FunctionalInterface
  public interface Counts {
    /** How many events were recorded lately, by verdict. */
    Map<UsageVerdict, Long> lately() throws SQLException;
  }

  private final Counts counts;
  private volatile Map<UsageVerdict, Long> seen = Map.of();

  /** A watch that has not looked yet. */
  public UnpaidUsageWatch(Counts counts) {
    this.counts = counts;
  }

  /** Looks. */
  public void pass() throws SQLException {
    seen = Map.copyOf(counts.lately());
  }

  /** Events that were rejected lately, by verdict. */
  public Map<UsageVerdict, Long> rejected() {
    final Map<UsageVerdict, Long> rejected = new EnumMap<>(UsageVerdict.class);
    seen.forEach(
        (verdict, events) -> {
          if (verdict.kind() == UsageVerdict.Kind.REJECTED) {
            rejected.put(verdict, events);
          }
        });
    return rejected;
  }

  /** Events recorded lately that nothing funded. */
  public long unfunded() {
    return seen.getOrDefault(UsageVerdict.UNFUNDED, 0L);
  }
}
