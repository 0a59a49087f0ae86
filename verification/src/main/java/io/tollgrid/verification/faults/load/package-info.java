/**
 * The load of a run: what instances of a service would ask of ledgers, with mistakes, retries and
 * two processes that submit the same commands.
 */
@NullMarked
package io.tollgrid.verification.faults.load;

import org.jspecify.annotations.NullMarked;
