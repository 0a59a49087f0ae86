/**
 * How much runs at once: exact ceilings of principals and accounts (R30), and the execution
 * capacity of the process (R31).
 *
 * <p>Entering and leaving is for requests, on any thread; it blocks on nothing, allocates nothing
 * and reads no clock. Whoever enters owns a token and gives it back once.
 */
@NullMarked
package io.tollgrid.admission.concurrency;

import org.jspecify.annotations.NullMarked;
