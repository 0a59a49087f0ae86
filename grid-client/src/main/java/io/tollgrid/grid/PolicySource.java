package io.tollgrid.grid;

import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import java.util.concurrent.CompletionStage;

/**
 * Where instances read policies. Thread-safe; a read that gets no answer fails after a bound, and
 * callbacks must not block.
 */
@FunctionalInterface
public interface PolicySource {
  /** Asks the authority. */
  CompletionStage<PolicySet> read(PolicyQuery query);
}
