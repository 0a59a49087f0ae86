/**
 * Verification of everything stored: whether the books balance and whether every number is the sum
 * of the rows it stands for.
 */
@NullMarked
package io.tollgrid.mapstore.verify;

import org.jspecify.annotations.NullMarked;
