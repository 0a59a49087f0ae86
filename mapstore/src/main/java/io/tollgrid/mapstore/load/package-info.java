/**
 * Loads of ledgers, many accounts per query.
 *
 * <p>A {@link io.tollgrid.mapstore.load.LedgerLoader} is shared by all threads that load; each of
 * its lanes is one thread.
 */
@NullMarked
package io.tollgrid.mapstore.load;

import org.jspecify.annotations.NullMarked;
