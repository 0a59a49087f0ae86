package io.tollgrid.ledger.port;

import io.tollgrid.ledger.Id128;

/** Makes ids that no one made before. */
public interface IdSource {
  /** A fresh random id. */
  Id128 randomId();

  /** A fresh time-ordered id (UUID version 7 layout). */
  Id128 timeOrderedId(long nowNanos);
}
