package io.tollgrid.ledger;

/** Which execution capacity an account's requests may use (R31). */
public enum CapacityClass {
  /** Shared capacity only. */
  BEST_EFFORT,
  /** Shared capacity first, then the assured reserve. */
  ASSURED
}
