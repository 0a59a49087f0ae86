package io.tollgrid.node;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.commit.CommitFaults;
import io.tollgrid.mapstore.commit.Defects;

/**
 * Where a harness reaches into a node: its clock, faults of its committer, and bugs planted on
 * purpose. Handed in through a constructor and by nothing else: no configuration leads here.
 *
 * @param clock the node's clock
 * @param faults failures of the committer
 * @param defects planted bugs
 */
public record NodeSeams(LedgerClock clock, CommitFaults faults, Defects defects) {
  /** A node as it is shipped. */
  public static NodeSeams none() {
    return new NodeSeams(new SystemClock(), CommitFaults.NONE, Defects.NONE);
  }
}
