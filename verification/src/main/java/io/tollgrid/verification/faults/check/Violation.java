package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import org.jspecify.annotations.Nullable;

/**
 * One way in which the ledger was not exact.
 *
 * @param kind what was broken
 * @param account the account, or null if it concerns none
 * @param command the command, in words with its id, or null if it concerns none
 * @param expected what should have been
 * @param found what was
 */
public record Violation(
    Kind kind, @Nullable Id128 account, @Nullable String command, String expected, String found) {

  /** What can be broken. */
  public enum Kind {
    /** A version is missing from a journal, or there twice. */
    JOURNAL_GAP,
    /** A journal row is not what the ledger makes of its request. */
    JOURNAL_CONTRADICTED,
    /** A command took effect again. */
    APPLIED_TWICE,
    /** A command is in the journal that nobody submitted. */
    NOBODY_ASKED,
    /** Stored numbers or rows are not what the journal adds up to. */
    STORE_DIFFERS,
    /** The books of an account do not balance (R10). */
    UNBALANCED,
    /** An acknowledged command is not stored, or with other values. */
    ACKNOWLEDGEMENT_LOST,
    /** A refusal is not what the ledger answers at that version and time. */
    REFUSAL_CONTRADICTED,
    /** An instance, which keeps within its leases, was told that it had not (R1). */
    SPENT_BEYOND_LEASE,
    /** A command took effect though its client was told that it did not. */
    REFUSED_BUT_APPLIED,
    /** An answer rests on a version older than one that was known before the command was sent. */
    STALE_ANSWER,
    /** A fence was used again or went back. */
    FENCE_REUSED,
    /** A transition was written by a process that did not hold its partition's fence. */
    WRITTEN_BY_ANOTHER,
    /** An owner that could not know what its store did wrote on under the same fence. */
    FENCE_KEPT,
    /** A period boundary was not crossed exactly once, with one allowance (R14). */
    CROSSED_WRONGLY,
    /** Leases were not written off exactly once, with their exact loss (R12). */
    RECLAIMED_WRONGLY,
    /** A sweep served what was due later long before what was due first (R19). */
    OUT_OF_ORDER,
    /** Usage of a lease that had ended did other than turn its loss into billed units (R12). */
    STRAGGLER_WRONG,
    /** A page of a sweep reads more than its own rows explain (R19). */
    READS_TOO_MUCH,
    /** An event was classified as something it is not (R20). */
    CLASSIFIED_WRONGLY,
    /** A delivery was told different things (R20). */
    CLASSIFICATION_CHANGED,
    /** A part was recorded or accepted more than once (R20). */
    RECORDED_TWICE,
    /** An event, or what its writer was told, is not on record (R20, R22). */
    USAGE_LOST,
    /** The books of an account are not the sum of its accepted events (R20). */
    BILLED_WRONGLY
  }

  static String name(LedgerCommand command) {
    final String kind = command.getClass().getSimpleName();
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      return kind + " " + operator.commandId();
    }
    if (command instanceof LedgerCommand.Acquire acquire) {
      return kind + " " + acquire.leaseId();
    }
    if (command instanceof LedgerCommand.Consolidate consolidate) {
      return kind + " " + consolidate.leaseId();
    }
    if (command instanceof LedgerCommand.LeaseStepCommand step) {
      return kind + " " + step.leaseId() + " step " + step.step();
    }
    if (command instanceof LedgerCommand.RecordUsage usage) {
      final var first = usage.events().get(0);
      return kind
          + " of "
          + usage.events().size()
          + " events from "
          + first.writer()
          + "/"
          + first.sequence();
    }
    return command.toString();
  }

  @Override
  public String toString() {
    return kind
        + (account == null ? "" : " account " + account)
        + (command == null ? "" : " command " + command)
        + ": expected "
        + expected
        + ", found "
        + found;
  }
}
