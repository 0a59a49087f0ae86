package io.tollgrid.verification.faults.check;

/**
 * One change of an ownership fence at rest, noted by PostgreSQL itself.
 *
 * @param sequence the order in which the changes were made
 * @param partition the ledger partition
 * @param before the fence that was replaced
 * @param after the fence afterwards
 * @param owner the process that raised it, by the name of its connection
 */
public record FenceRaise(long sequence, int partition, long before, long after, String owner) {}
