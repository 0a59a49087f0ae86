package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;
import java.util.Set;

/**
 * An account that funds a principal's work.
 *
 * @param account the account
 * @param meters names of the meters it funds; every meter if empty
 */
public record SnapshotLeg(Id128 account, Set<String> meters) {
  /** Refuses names that no meter can have. */
  public SnapshotLeg {
    meters = Set.copyOf(meters);
    meters.forEach(meter -> PolicyName.require("meter", meter));
  }

  /** A leg that funds every meter. */
  public static SnapshotLeg of(final Id128 account) {
    return new SnapshotLeg(account, Set.of());
  }
}
