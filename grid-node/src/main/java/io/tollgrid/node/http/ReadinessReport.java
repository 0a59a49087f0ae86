package io.tollgrid.node.http;

import java.util.List;
import java.util.Map;

/**
 * Whether ledger commands would be served now, and the counts that made the bit (R39).
 *
 * @param reasons what is missing, for a person; empty means ready
 * @param counts numbers and words behind it, in reading order
 */
public record ReadinessReport(List<String> reasons, Map<String, Object> counts) {
  /** Whether nothing is missing. */
  public boolean ready() {
    return reasons.isEmpty();
  }
}
