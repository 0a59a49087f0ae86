package io.tollgrid.ledger;

/**
 * What the owner of a ledger says about funding, checked against the authority before it is said
 * (R15).
 *
 * <p>{@code remainingUnits} is an upper bound of what current funding can still serve: a larger
 * quote is hopeless until funding changes; a smaller one proves nothing. Zero remaining is
 * exhaustion.
 *
 * @param remainingUnits balance plus everything out on leases
 * @param periodEndNanos when the next allowance is due, {@link Period#NEVER} if none is
 * @param version the ledger version it was read at
 */
public record Evidence(long remainingUnits, long periodEndNanos, long version) {}
