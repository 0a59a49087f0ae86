package io.tollgrid.node.replay;

/**
 * One recorded request.
 *
 * @param index its number in the trace, from 0
 * @param arrivedNanos when it arrived, epoch nanoseconds
 * @param contextTokens tokens known before the request ran, 0 or more
 * @param generatedTokens tokens known only after it, 0 or more
 */
public record TraceRow(long index, long arrivedNanos, long contextTokens, long generatedTokens) {
  /** What is reserved for tokens that are not generated yet. */
  public static final long OUTPUT_ALLOWANCE_UNITS = 64;

  /** Units reserved before the request runs. */
  public long quoteUnits() {
    return contextTokens + OUTPUT_ALLOWANCE_UNITS;
  }

  /** Units it turned out to cost. */
  public long actualUnits() {
    return contextTokens + generatedTokens;
  }

  /** Units by which it exceeds its quote, 0 if it does not. */
  public long missingUnits() {
    return Math.max(0, actualUnits() - quoteUnits());
  }
}
