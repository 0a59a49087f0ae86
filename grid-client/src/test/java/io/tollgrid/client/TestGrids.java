package io.tollgrid.client;

import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.PolicySource;
import io.tollgrid.grid.usage.LocalUsageInbox;
import io.tollgrid.ledger.port.LedgerClock;

/** Grids that a test answers for. */
final class TestGrids {
  private TestGrids() {}

  /** Ledgers and policies; word of nothing comes. */
  static InstanceGrid of(LedgerClient ledgers, PolicySource policies, LedgerClock clock) {
    return new InstanceGrid(
        ledgers, policies, ChangeFeed.silent(), new LocalUsageInbox(ledgers, clock));
  }
}
