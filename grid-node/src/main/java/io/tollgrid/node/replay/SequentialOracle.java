package io.tollgrid.node.replay;

import java.util.HashMap;
import java.util.Map;

/**
 * What one instance must decide, row by row: admit if and only if what remains covers the quote,
 * extend if and only if what remains covers the excess. It knows nothing of leases; it is what they
 * must amount to. Not thread-safe.
 */
final class SequentialOracle {
  private final long fundedUnits;
  private final Map<Integer, Long> remaining = new HashMap<>();

  SequentialOracle(long fundedUnits) {
    this.fundedUnits = fundedUnits;
  }

  /**
   * Whether {@code result} is what the next row must come to; takes the row as served either way.
   */
  boolean agrees(TraceRow row, RowResult result) {
    final long before = remaining.getOrDefault(result.rank(), fundedUnits);
    if (before < row.quoteUnits()) {
      return result.denial() != null && result.denial().isFinal();
    }
    final boolean funded = row.actualUnits() <= before;
    final long billed = funded ? row.actualUnits() : row.quoteUnits();
    remaining.put(result.rank(), before - billed);
    return result.denial() == null
        && result.billedUnits() == billed
        && result.unfundedUnits() == row.actualUnits() - billed;
  }
}
