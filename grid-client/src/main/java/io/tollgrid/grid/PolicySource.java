package io.tollgrid.grid;

import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.policy.Subject;
import java.util.concurrent.CompletionStage;

/**
 * Where instances read policies, and what else they have to do with the authority. Thread-safe;
 * what gets no answer fails after a bound, and callbacks must not block.
 */
public interface PolicySource {
  /** Asks the authority. */
  CompletionStage<PolicySet> read(PolicyQuery query);

  /**
   * Asks for the credentials in force after one, by id.
   *
   * @param limit 1 to {@link PolicyQuery#MAX_IDS}
   */
  CompletionStage<CredentialPage> credentials(Id128 after, int limit);

  /** Introduces a subject; one that failed may have been introduced. */
  CompletionStage<Introduction> introduce(Subject subject);

  /** Has denials kept; a report that failed may be kept, and is harmless again. */
  CompletionStage<Boolean> keep(DenialReport report);
}
