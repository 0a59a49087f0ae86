/**
 * Faults of the fleet: whole instances, in processes of their own, that serve requests while they
 * are killed, frozen, added and taken away, and while operators deposit, revoke, suspend and
 * reschedule. What each asked of the ledgers is recorded outside the grid and judged like the
 * ledger's own faults.
 *
 * <p>{@link io.tollgrid.verification.faults.fleet.FleetInstance} is the main class of children;
 * everything else lives in the parent.
 */
@NullMarked
package io.tollgrid.verification.faults.fleet;

import org.jspecify.annotations.NullMarked;
