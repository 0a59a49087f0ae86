/**
 * What every store of ledgers must decide alike: which transitions of a batch may be written, which
 * checks hold, and why the others do not. Pure functions, shared by the PostgreSQL committer and
 * the in-memory store of simulations.
 */
@NullMarked
package io.tollgrid.ledger.store;

import org.jspecify.annotations.NullMarked;
