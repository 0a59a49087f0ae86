package io.tollgrid.admission.snapshot;

import io.tollgrid.ledger.policy.PrincipalSnapshot;

/** A snapshot that must not come into force (R42): the message names what is wrong with it. */
public final class RefusedSnapshotException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  RefusedSnapshotException(final PrincipalSnapshot snapshot, final String why) {
    super(
        "generation "
            + snapshot.generation()
            + " of the snapshot of principal "
            + snapshot.principal()
            + " is refused: "
            + why);
  }
}
