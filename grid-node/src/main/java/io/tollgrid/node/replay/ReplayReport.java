package io.tollgrid.node.replay;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/**
 * What a replay came to, as it is printed.
 *
 * @param requests rows served
 * @param admitted rows that ran
 * @param denied rows that were finally denied, by reason
 * @param units where the units are
 * @param overspentAccounts accounts billed more than they were given
 * @param conservation {@code "exact"}, or by how many units the books do not balance
 * @param decisionNanos how long a decision took, begin to start, first tries only
 * @param elapsedSeconds from the first row to the last release
 */
public record ReplayReport(
    long requests,
    long admitted,
    Map<String, Long> denied,
    Units units,
    long overspentAccounts,
    String conservation,
    DecisionNanos decisionNanos,
    double elapsedSeconds) {
  static final String EXACT = "exact";

  /**
   * Units of the replay's accounts, at the end.
   *
   * @param funded put in
   * @param billed recorded as usage that was paid for
   * @param outstanding still out on leases
   * @param loss provisional loss
   * @param expired allowance that expired
   * @param balance left
   * @param unfunded recorded as usage that nobody paid for
   */
  public record Units(
      long funded,
      long billed,
      long outstanding,
      long loss,
      long expired,
      long balance,
      long unfunded) {}

  /**
   * Percentiles of the time one decision took.
   *
   * @param p50 the median
   * @param p99 the 99th percentile
   */
  public record DecisionNanos(long p50, long p99) {}

  /** Whether nothing was overspent, everything came home, and the books balance. */
  @JsonIgnore
  public boolean good() {
    return conservation.equals(EXACT)
        && overspentAccounts == 0
        && units.outstanding() == 0
        && units.loss() == 0;
  }
}
