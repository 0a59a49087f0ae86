package io.tollgrid.node.policy;

import io.tollgrid.admission.snapshot.SnapshotRules;
import io.tollgrid.grid.Change;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.policy.PolicyPublisher;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Publishes plans and snapshots, and sends word of them. Word may be lost, and whoever publishes
 * may die before it is sent: instances find out by their next refresh (R37).
 *
 * <p>Repeating a publication is harmless and sends word again. Blocks; thread-safe.
 */
public final class Publications {
  private final PolicyPublisher publisher;
  private final ChangeFeed changes;

  /** Publications into the database behind {@code control}. */
  public Publications(final DataSource control, final LedgerClock clock, final ChangeFeed changes) {
    this.publisher = new PolicyPublisher(control, SnapshotRules::refusal, clock);
    this.changes = changes;
  }

  /**
   * Publishes a plan; see {@link PolicyPublisher#publish(Plan)}.
   *
   * @return the plan with its generation
   */
  public Plan publish(final Plan plan) throws SQLException {
    final Plan published = publisher.publish(plan);
    changes.publish(new Change.PlanChanged(published.name()));
    return published;
  }

  /**
   * Publishes a snapshot; see {@link PolicyPublisher#publish(PrincipalSnapshot)}.
   *
   * @return the snapshot with its generation
   */
  public PrincipalSnapshot publish(final PrincipalSnapshot snapshot) throws SQLException {
    final PrincipalSnapshot published = publisher.publish(snapshot);
    changes.publish(new Change.PrincipalChanged(published.principal()));
    return published;
  }

  /**
   * Revokes a principal; see {@link PolicyPublisher#revoke}.
   *
   * @return the revocation
   */
  public PrincipalPolicy.Revoked revoke(final Id128 principal) throws SQLException {
    final PrincipalPolicy.Revoked revoked = publisher.revoke(principal);
    changes.publish(new Change.PrincipalChanged(principal));
    return revoked;
  }
}
