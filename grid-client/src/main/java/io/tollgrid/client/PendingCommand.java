package io.tollgrid.client;

import io.tollgrid.ledger.LedgerCommand;
import org.jspecify.annotations.Nullable;

/**
 * The one command of an account that its lease manager has under way, or has parked because nobody
 * could say whether it happened. Confined to the instance's thread.
 */
final class PendingCommand {
  final LedgerCommand command;

  /** The lease it is a step of, or whose units it folds; null for an acquire. */
  final @Nullable LeaseBook book;

  /** Units off the lease's counter that it carries to the ledger. */
  final long units;

  /** The refused quote it is for, 0 for none. */
  final long demandUnits;

  /** What the grant was sized for; less says that the ledger has no more. */
  final long targetUnits;

  /** The funding epoch in which it was asked. */
  final long fundingEpoch;

  /**
   * Whether nothing of the lease it folds was running or unreported when it was sent: then the
   * ledger ends that lease in the same step. What becomes accounted for later does not count.
   */
  final boolean endsItsLease;

  /** Until when the last attempt may act. */
  private long notAfterNanos;

  /** Until when any attempt that ended as unknown may act. */
  private long unknownUntilNanos;

  private boolean underWay;
  private boolean everUnknown;
  private long retryAtNanos;

  PendingCommand(
      final LedgerCommand command,
      final @Nullable LeaseBook book,
      final long units,
      final long demandUnits,
      final long targetUnits,
      final long fundingEpoch) {
    this.command = command;
    this.book = book;
    this.endsItsLease = book != null && book.isAccountedFor();
    this.units = units;
    this.demandUnits = demandUnits;
    this.targetUnits = targetUnits;
    this.fundingEpoch = fundingEpoch;
  }

  void sent(final long untilNanos) {
    notAfterNanos = untilNanos;
    underWay = true;
  }

  /** Its last attempt may have happened: it is kept, to be repeated as it is. */
  void unknown(final long retryNanos) {
    unknownUntilNanos = Math.max(unknownUntilNanos, notAfterNanos);
    everUnknown = true;
    waitUntil(retryNanos);
  }

  /** Its last attempt was refused, but an earlier one may still act: it is kept. */
  void waitUntil(final long retryNanos) {
    underWay = false;
    retryAtNanos = retryNanos;
  }

  boolean isUnderWay() {
    return underWay;
  }

  /** Whether an attempt of it ended with an unknown outcome. */
  boolean wasEverUnknown() {
    return everUnknown;
  }

  /** The most units that may be where nobody here knows, if nobody can tell what became of it. */
  long unitsAtStake() {
    return Math.max(units, targetUnits);
  }

  long retryAtNanos() {
    return retryAtNanos;
  }

  /** Whether a refusal at this ledger time says that it never happened and never will (R3). */
  boolean isDisprovedBy(final long ledgerTimeNanos) {
    return !everUnknown || ledgerTimeNanos - unknownUntilNanos > Ledgers.SETTLED_AFTER_NANOS;
  }
}
