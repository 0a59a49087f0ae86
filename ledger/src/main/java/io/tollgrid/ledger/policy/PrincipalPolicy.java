package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;

/** What is on record about a principal; one of whom nothing is on record is unknown (R38). */
public sealed interface PrincipalPolicy {
  /** Whom it is about. */
  Id128 principal();

  /** The generation of the record: a newer one replaces an older one (R37). */
  long generation();

  /**
   * A snapshot is in force.
   *
   * @param snapshot the snapshot
   */
  record Published(PrincipalSnapshot snapshot) implements PrincipalPolicy {
    @Override
    public Id128 principal() {
      return snapshot.principal();
    }

    @Override
    public long generation() {
      return snapshot.generation();
    }
  }

  /**
   * The principal was revoked: no snapshot of this generation or an older one comes back.
   *
   * @param principal who
   * @param generation of the revocation, 1 or more
   */
  record Revoked(Id128 principal, long generation) implements PrincipalPolicy {
    /** Refuses a generation below 1. */
    public Revoked {
      if (generation < 1) {
        throw new IllegalArgumentException(
            "a revocation of principal " + principal + " cannot have generation " + generation);
      }
    }
  }
}
