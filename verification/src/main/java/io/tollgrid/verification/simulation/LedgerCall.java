package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import java.util.Set;

/** One command as its client pursues it. Mutable; {@link CallSlot} moves it. */
final class LedgerCall {
  /** What the caller learns. */
  interface Caller {
    /** A definite answer. */
    void answered(Outcome outcome);

    /** The client gave up; the command may have taken effect, or may still. */
    void gaveUp(boolean mayHaveHappened);

    /** An attempt ended without a definite answer; the client goes on. */
    default void attemptUnknown() {}
  }

  final LedgerCommand command;
  final CommandKind kind;
  final Caller caller;
  final CallSlot slot;
  LedgerRequest request;
  int attempt;
  long sentAtNanos;
  int overtaken;
  boolean waiting;
  boolean unknownSeen;
  boolean evictNext;
  Set<RowKey> wanted = Set.of();

  LedgerCall(CallSlot slot, LedgerRequest request, Caller caller) {
    this.slot = slot;
    this.request = request;
    this.command = request.command();
    this.kind = CommandKind.of(request.command());
    this.caller = caller;
  }
}
