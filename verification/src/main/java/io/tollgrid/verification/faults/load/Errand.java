package io.tollgrid.verification.faults.load;

import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import java.util.function.Consumer;

/**
 * One request to make, and what its caller does about the answer.
 *
 * @param request what to ask
 * @param answered given the definite answer; not called if the client gave up
 */
record Errand(LedgerRequest request, Consumer<Outcome> answered) {
  /** A request whose answer changes nothing for its caller. */
  static Errand of(LedgerRequest request) {
    return new Errand(request, outcome -> {});
  }
}
