package io.tollgrid.verification.faults.history;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * One command as its client saw it, from submission to ending.
 *
 * @param client who submitted it: the name of the process
 * @param number its number at that client
 * @param submittedAtNanos when, epoch nanoseconds of the machine's clock
 * @param request what was asked
 * @param ending how it ended, or null if the client died first
 */
public record Operation(
    String client,
    long number,
    long submittedAtNanos,
    LedgerRequest request,
    @Nullable Ending ending) {

  /** How an operation ended. */
  public sealed interface Ending {
    /** When the client learned of it, epoch nanoseconds of the machine's clock. */
    long atNanos();
  }

  /**
   * A definite answer.
   *
   * @param atNanos when the client learned of it
   * @param outcome the answer
   * @param version the ledger's version it was given at
   * @param ledgerTimeNanos the ledger time it was given at
   */
  public record Answered(long atNanos, Outcome outcome, long version, long ledgerTimeNanos)
      implements Ending {}

  /**
   * The client stopped asking.
   *
   * @param atNanos when
   * @param code how the last attempt had ended
   * @param mayHaveHappened false if it certainly took no effect
   */
  public record GaveUp(long atNanos, LedgerCode code, boolean mayHaveHappened) implements Ending {}

  /** The answer, or null if there was none. */
  public @Nullable Answered answered() {
    return ending instanceof Answered answer ? answer : null;
  }

  /** The operation with this ending. */
  public Operation ended(Ending how) {
    return new Operation(client, number, submittedAtNanos, request, how);
  }

  @Override
  public String toString() {
    return client + "#" + number;
  }
}
