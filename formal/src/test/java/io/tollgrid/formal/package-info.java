/**
 * Runs the model checker and the prover over the specifications of this module and the arithmetic
 * shipped in the ledger.
 */
@NullMarked
package io.tollgrid.formal;

import org.jspecify.annotations.NullMarked;
