package io.tollgrid.grid;

import io.tollgrid.ledger.policy.PolicyCodec;
import io.tollgrid.ledger.policy.PolicyQuery;

/** Reads policies on a data member. */
final class FetchPolicies extends MemberTask {
  private final PolicyQuery query;

  FetchPolicies(PolicyQuery query) {
    this.query = query;
  }

  PolicyQuery query() {
    return query;
  }

  @Override
  byte[] on(LedgerMember services) {
    return PolicyCodec.encodeSet(services.policies().read(query));
  }
}
