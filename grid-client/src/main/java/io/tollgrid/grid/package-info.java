/**
 * The protocol between whoever changes ledgers and the members that own them.
 *
 * <p>Owned here: the names on the grid, the processor that runs a command where the ledger lives,
 * its wire forms, and the client that repeats a command until its answer is definite. Members find
 * what the processor needs in {@link io.tollgrid.grid.LedgerMember}. Everything public is safe to
 * use from any thread.
 */
@NullMarked
package io.tollgrid.grid;

import org.jspecify.annotations.NullMarked;
