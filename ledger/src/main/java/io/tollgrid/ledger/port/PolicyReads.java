package io.tollgrid.ledger.port;

import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;

/** Reads policies from the authority. Blocks; never called from a partition thread. */
public interface PolicyReads {
  /**
   * Answers a question, from one consistent view.
   *
   * @throws LedgerCodeException {@code UNAVAILABLE} if the authority does not answer, {@code
   *     CORRUPT} if it holds what nobody can have published
   */
  PolicySet read(PolicyQuery query);
}
