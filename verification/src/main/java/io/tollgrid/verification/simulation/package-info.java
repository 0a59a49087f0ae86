/**
 * The whole fleet in one thread: instances, owners, network, fences and store, all simulated around
 * the product's own {@code Ledger.apply} and {@code CommitRules.decide}.
 *
 * <p>A run is a list of {@link io.tollgrid.verification.simulation.Event events}. A chooser draws
 * them from a seed; executing the same list again gives the same run, so a failing list can be
 * shrunk. Events name what they touch by role and position ("the oldest request of that lane"),
 * never by a running number, so that a list still means something after events were taken out of
 * it.
 *
 * <p>Everything here is confined to the thread that runs the seed. Nothing reads a clock or a
 * random source but the chooser, which reads its seed.
 */
@NullMarked
package io.tollgrid.verification.simulation;

import org.jspecify.annotations.NullMarked;
