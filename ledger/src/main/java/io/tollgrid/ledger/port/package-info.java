/**
 * What the ledger's surroundings must provide: ownership fences, rows outside the entry, time and
 * ids. Implementations are safe to call from any thread.
 */
@NullMarked
package io.tollgrid.ledger.port;

import org.jspecify.annotations.NullMarked;
