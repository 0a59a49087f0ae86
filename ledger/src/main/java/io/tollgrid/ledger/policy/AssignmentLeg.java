package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An account that funds the work of every subject under an assignment.
 *
 * @param account an account they share, or null for the account of each subject itself, whose id is
 *     the subject's principal
 * @param meters names of the meters it funds; every meter if empty
 */
public record AssignmentLeg(@Nullable Id128 account, Set<String> meters) {
  /** Refuses names that no meter can have. */
  public AssignmentLeg {
    meters = Set.copyOf(meters);
    meters.forEach(meter -> PolicyName.require("meter", meter));
  }

  /** The account of each subject itself, for every meter. */
  public static AssignmentLeg own() {
    return new AssignmentLeg(null, Set.of());
  }

  /** A shared account, for every meter. */
  public static AssignmentLeg shared(final Id128 account) {
    return new AssignmentLeg(account, Set.of());
  }

  SnapshotLeg of(final Id128 principal) {
    return new SnapshotLeg(account == null ? principal : account, meters);
  }
}
