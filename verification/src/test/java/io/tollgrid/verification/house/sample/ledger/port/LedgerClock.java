package io.tollgrid.verification.house.sample.ledger.port;

/** The clock port of the sample. */
public interface LedgerClock {
  /** The time in nanoseconds. */
  long nowNanos();
}
