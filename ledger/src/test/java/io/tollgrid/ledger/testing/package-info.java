/**
 * A store and an owner of ledgers in memory, for tests of whatever stands on the ledger.
 *
 * <p>They run the shipped {@link io.tollgrid.ledger.Ledger#apply} and {@link
 * io.tollgrid.ledger.store.CommitRules}; only the rows are kept in maps instead of tables. Nothing
 * here is safe for use from several threads at once.
 */
@NullMarked
package io.tollgrid.ledger.testing;

import org.jspecify.annotations.NullMarked;
