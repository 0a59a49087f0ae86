/**
 * The sweeps at their sizes: accounts that are due at one midnight, leases that expired under a
 * holder that is gone, and what a page of them costs to read.
 *
 * <p>Accounts are founded in bulk, each with a past that the shipped ledger decided, so that the
 * replay of every journal judges the founding too. {@link
 * io.tollgrid.verification.faults.sweep.SweepDriver} is the main class of a child; everything else
 * lives in the parent.
 */
@NullMarked
package io.tollgrid.verification.faults.sweep;

import org.jspecify.annotations.NullMarked;
