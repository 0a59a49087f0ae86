package io.tollgrid.node.usage;

import io.tollgrid.ledger.UsageVerdict;
import java.math.BigInteger;
import java.util.Map;

/**
 * What became of every line. The names are those of the JSON form, a stable contract.
 *
 * @param lines lines read
 * @param malformed lines that are no event; {@code lines = events + malformed}
 * @param events events that were shipped; every one is accepted, a duplicate, rejected or
 *     unanswered
 * @param accepted events that were recorded now
 * @param verdicts events by what the ledger said of them
 * @param duplicates events whose part was recorded before
 * @param rejected events that were rejected and kept, by verdict
 * @param unanswered events whose classification was not heard of in time
 * @param units units of the events
 * @param elapsedSeconds from the first line to the last answer
 * @param eventsPerSecond events that were shipped in one of them
 */
public record LoadReport(
    long lines,
    long events,
    long malformed,
    long accepted,
    Map<UsageVerdict, Long> verdicts,
    Duplicates duplicates,
    Map<UsageVerdict, Long> rejected,
    long unanswered,
    Units units,
    double elapsedSeconds,
    double eventsPerSecond) {
  /**
   * Events whose part was recorded before.
   *
   * @param same with the payload that is recorded
   * @param differing with another payload, which changed nothing
   */
  public record Duplicates(long same, long differing) {}

  /**
   * Sums of units; they may exceed any ledger's, for rejected events can claim what they like.
   *
   * @param billed recorded now, on leases or beyond them
   * @param unfunded recorded now, and paid by nobody
   * @param duplicate of duplicates, as the lines have them
   * @param rejected of rejected events
   */
  public record Units(
      BigInteger billed, BigInteger unfunded, BigInteger duplicate, BigInteger rejected) {}

  /** Whether every line was accepted or is the same as what was recorded before. */
  public boolean good() {
    return accepted + duplicates.same() == lines;
  }
}
