/**
 * The ledger a second time, written from the rules: unbounded integers, everything kept for ever,
 * no entry, no cache, no rows.
 *
 * <p>It shares with the product only the values that go in and come out. Where the product computes
 * a number from stored sums, this computes it by walking what happened; a disagreement is a fault
 * of one of the two.
 */
@NullMarked
package io.tollgrid.ledger.oracle;

import org.jspecify.annotations.NullMarked;
