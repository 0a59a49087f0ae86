package io.tollgrid.ledger.port;

import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.Subject;

/** Tells the authority of subjects by name. Blocks; never called from a partition thread. */
@FunctionalInterface
public interface Introductions {
  /**
   * Lets the authority derive a subject's snapshot from its assignments; again changes nothing.
   *
   * @throws LedgerCodeException {@code UNAVAILABLE} if the authority does not answer: it may have
   *     been introduced, {@code CORRUPT} if it holds what nobody can have published
   */
  Introduction introduce(Subject subject);
}
