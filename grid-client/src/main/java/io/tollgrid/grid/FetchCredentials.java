package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.PolicyCodec;

/** Reads a page of credentials on a data member; none is kept there. */
final class FetchCredentials extends MemberTask {
  private final Id128 after;
  private final int limit;

  FetchCredentials(Id128 after, int limit) {
    this.after = after;
    this.limit = limit;
  }

  Id128 after() {
    return after;
  }

  int limit() {
    return limit;
  }

  @Override
  byte[] on(LedgerMember services) {
    return PolicyCodec.encodeCredentials(services.policies().credentials(after, limit));
  }
}
