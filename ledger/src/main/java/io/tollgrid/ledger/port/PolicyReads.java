package io.tollgrid.ledger.port;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialPage;
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

  /**
   * The credentials in force after one, by id, from one consistent view.
   *
   * @param after only ids above this one; {@link Id128#ZERO} from the first
   * @param limit 1 to {@link PolicyQuery#MAX_IDS}
   * @throws LedgerCodeException as {@link #read}
   */
  CredentialPage credentials(Id128 after, int limit);
}
