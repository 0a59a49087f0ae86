package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.store.Transition;

/**
 * A transition with its journal bytes, encoded on the caller's thread so that the lane has less to
 * do.
 */
final class Pending {
  private static final byte[] NONE = {};

  private final Transition transition;
  private final byte[] request;
  private final byte[] outcome;

  Pending(Transition transition) {
    final Effects effects = transition.effects();
    this.transition = transition;
    this.request = effects.writes() ? LedgerCodec.encodeRequest(effects.request()) : NONE;
    this.outcome = effects.writes() ? LedgerCodec.encodeOutcome(effects.outcome()) : NONE;
  }

  Transition transition() {
    return transition;
  }

  /** The request's canonical bytes; empty for a check. Not copied. */
  byte[] request() {
    return request;
  }

  /** The outcome's canonical bytes; empty for a check. Not copied. */
  byte[] outcome() {
    return outcome;
  }

  /** Rows of a batch this transition accounts for. */
  int weight() {
    return 1 + transition.effects().usage().size() + transition.effects().rejected().size();
  }
}
