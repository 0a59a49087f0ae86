package io.tollgrid.ledger.port;

/**
 * The one source of wall-clock time: nanoseconds since the epoch. It may step back; the ledger does
 * not follow.
 */
@FunctionalInterface
public interface LedgerClock {
  /** The time now, epoch nanoseconds. */
  long nowNanos();
}
