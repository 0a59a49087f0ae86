/**
 * What one instance may spend of one account without asking: the lease it holds, the evidence it
 * was given, and its overage.
 *
 * <p>Two sides meet here. <em>Requests</em>, on any thread, debit and credit with a few atomic
 * instructions; they never block, allocate or read a clock. The account's <em>owner</em>, one
 * thread at a time, installs and takes leases, drains free units for the ledger and publishes
 * evidence. Doorbells lead from the first side to the second.
 */
@NullMarked
package io.tollgrid.admission.lease;

import org.jspecify.annotations.NullMarked;
