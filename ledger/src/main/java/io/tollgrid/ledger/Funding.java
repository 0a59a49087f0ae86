package io.tollgrid.ledger;

/** What paid for one part of a request; exactly one (R20). */
public sealed interface Funding {
  /**
   * Units of a lease.
   *
   * @param leaseId the lease
   * @param fence its fence; the account is the ledger's own
   */
  record Leased(Id128 leaseId, long fence) implements Funding {}

  /** Units beyond the allocation, under elastic enforcement (R4). */
  record Overage() implements Funding {}

  /**
   * Nobody: spend that no lease and no overage could cover, recorded outside {@code billed} (R9).
   */
  record Unfunded() implements Funding {}
}
