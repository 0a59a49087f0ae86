package io.tollgrid.node.policy;

import io.tollgrid.grid.Change;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Assignment;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.mapstore.policy.AssignmentPublisher;
import java.sql.SQLException;
import java.util.List;

/**
 * Assigns plans to the subjects under a prefix, and sends word of each principal that this changes,
 * with the same reserve as {@link Publications}. Blocks; thread-safe.
 */
public final class Assignments {
  private final AssignmentPublisher publisher;
  private final ChangeFeed changes;

  /** Assignments by way of {@code publisher}. */
  public Assignments(final AssignmentPublisher publisher, final ChangeFeed changes) {
    this.publisher = publisher;
    this.changes = changes;
  }

  /**
   * Puts an assignment into force; subjects that were introduced follow with {@link #follow}. See
   * {@link AssignmentPublisher#publish}.
   *
   * @return the assignment with its generation
   */
  public Assignment publish(final Assignment assignment) throws SQLException {
    return publisher.publish(assignment);
  }

  /**
   * Withdraws the assignment of a prefix; its subjects follow with {@link #follow}. See {@link
   * AssignmentPublisher#withdraw}.
   */
  public void withdraw(final String prefix) throws SQLException {
    publisher.withdraw(prefix);
  }

  /** Subjects that have no plan; see {@link AssignmentPublisher#withoutPlan}. */
  public List<Subject> withoutPlan(final Id128 after, final int limit) throws SQLException {
    return publisher.withoutPlan(after, limit);
  }

  /**
   * Lets every subject follow the assignments as they are now, whoever changed them: a background
   * pass of the oldest node, which ends early if its thread is interrupted.
   */
  public void follow() throws SQLException {
    boolean more = true;
    while (more && !Thread.currentThread().isInterrupted()) {
      more = publisher.deriveSome(this::changed);
    }
  }

  private void changed(final Id128 principal) {
    changes.publish(new Change.PrincipalChanged(principal));
  }
}
