/**
 * The fault harness of the ledger: separate processes, killed, frozen and lied to by their stores
 * while load runs, then judged from what was recorded outside the grid.
 *
 * <p>A run follows a schedule drawn from a seed. Processes write their history to files and their
 * counters to their parent; nothing is shared in memory. Only processes that a run started itself
 * are ever signalled, each by its process id.
 */
@NullMarked
package io.tollgrid.verification.faults;

import org.jspecify.annotations.NullMarked;
