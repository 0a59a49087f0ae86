/**
 * Rates: how many requests, and how many units, an account may start per second on this instance
 * (R29).
 *
 * <p>Limits are immutable and replaced as a whole; what has been taken is one word per dimension
 * and shard, changed by compare-and-set. Taking is for requests and neither blocks, allocates nor
 * reads a clock; publishing is for the control side.
 */
@NullMarked
package io.tollgrid.admission.rate;

import org.jspecify.annotations.NullMarked;
