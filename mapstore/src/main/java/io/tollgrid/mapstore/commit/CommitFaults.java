package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.store.Transition;
import java.sql.SQLException;
import java.util.List;

/**
 * Where a fault test reaches into a committer, called on the lane's thread.
 *
 * <p>Handed in through a constructor and by nothing else: no configuration leads here. A method
 * that blocks delays the batch at that point, with the locks it holds there.
 */
public interface CommitFaults {
  /** No faults. */
  CommitFaults NONE = new CommitFaults() {};

  /**
   * Before the batch's transaction begins: nothing is locked and nothing is read.
   *
   * @param batch the transitions a lane has taken
   */
  default void beforeRead(List<Transition> batch) {}

  /**
   * After the locks are held and everything is read and judged, before anything is written.
   *
   * @param batch the transitions about to be written
   * @throws SQLException to fail as PostgreSQL would at this point
   */
  default void beforeWrite(List<Transition> batch) throws SQLException {}

  /**
   * After everything is written, before COMMIT is sent.
   *
   * @param batch the transitions written
   * @throws SQLException to fail as PostgreSQL would at this point: nothing becomes durable
   */
  default void beforeCommit(List<Transition> batch) throws SQLException {}

  /**
   * After PostgreSQL confirmed COMMIT.
   *
   * @param batch the transitions that are durable
   * @throws SQLException to lose the confirmation: durable, and unknown to everybody
   */
  default void afterCommit(List<Transition> batch) throws SQLException {}
}
