package io.tollgrid.client;

import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.IdSource;
import java.util.SplittableRandom;

/**
 * What the background parts of one instance share.
 *
 * @param settings how it behaves
 * @param holder its identity as a holder of leases, one per process start
 * @param ids where lease ids come from
 * @param random jitter; used by the loop's thread only
 * @param loop its thread of work
 * @param ledgers the way to the ledgers
 * @param changes where word of changes is sent
 * @param refills what its lease managers did
 * @param faults what stops it
 */
record InstanceContext(
    InstanceSettings settings,
    Id128 holder,
    IdSource ids,
    SplittableRandom random,
    InstanceLoop loop,
    Ledgers ledgers,
    ChangeFeed changes,
    RefillCounters refills,
    Faults faults) {

  /** Where an accounting-integrity fault goes: the instance must not admit any more (R36). */
  @FunctionalInterface
  interface Faults {
    /** Stops the instance. */
    void integrityFault(Id128 account, String what);
  }
}
