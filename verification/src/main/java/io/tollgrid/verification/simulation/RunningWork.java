package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Id128;
import org.jspecify.annotations.Nullable;

/**
 * Work that was started and not yet settled.
 *
 * @param requestId its id
 * @param lease what funds it, or null if overage does
 * @param reservedUnits what it was charged when it started
 */
record RunningWork(Id128 requestId, @Nullable HeldLease lease, long reservedUnits) {}
