package io.tollgrid.node;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerFunction;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.commit.CommitFaults;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.pipelines.Alarm;
import java.util.function.Predicate;

/**
 * Where a harness reaches into a node: its clock and pace, faults of its committer, and bugs
 * planted on purpose. Handed in through a constructor and by nothing else: no configuration leads
 * here.
 *
 * @param clock the node's clock
 * @param faults failures of the committer
 * @param defects planted bugs of the committer
 * @param ledger the ledger, perhaps with a planted bug
 * @param pace how often the node looks after itself
 * @param blind alarms that never fire
 */
public record NodeSeams(
    LedgerClock clock,
    CommitFaults faults,
    Defects defects,
    LedgerFunction ledger,
    NodePace pace,
    Predicate<Alarm> blind) {
  /** A node of the product's pace, all of whose alarms fire. */
  public NodeSeams(LedgerClock clock, CommitFaults faults, Defects defects, LedgerFunction ledger) {
    this(clock, faults, defects, ledger, NodePace.DEFAULTS, alarm -> false);
  }

  /** A node as it is shipped. */
  public static NodeSeams none() {
    return new NodeSeams(new SystemClock(), CommitFaults.NONE, Defects.NONE, Ledger::apply);
  }
}
