package io.tollgrid.node.replay;

import io.tollgrid.admission.denial.Denial;
import org.jspecify.annotations.Nullable;

/**
 * What became of one row.
 *
 * @param index the row
 * @param rank its account
 * @param denial why it was finally denied, or null if it was admitted
 * @param billedUnits units funded and billed
 * @param unfundedUnits units of it that nothing funded
 */
public record RowResult(
    long index, int rank, @Nullable Denial denial, long billedUnits, long unfundedUnits) {

  /** The line of a decisions file: {@code row,account,ADMITTED|reason,billed,unfunded}. */
  public String toLine() {
    return index
        + ","
        + rank
        + ","
        + (denial == null ? "ADMITTED" : denial.name())
        + ","
        + billedUnits
        + ","
        + unfundedUnits;
  }
}
