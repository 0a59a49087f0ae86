package io.tollgrid.client;

import io.tollgrid.ledger.Id128;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The principals that an instance must be able to admit to be ready (R39). */
public sealed interface Tracked {
  /** Whoever has a snapshot here: one of them must be admissible. */
  record All() implements Tracked {}

  /**
   * These: each must be admissible.
   *
   * @param principals who
   */
  record Fixed(Set<Id128> principals) implements Tracked {
    /** Keeps a copy, in the order they came. */
    public Fixed {
      principals = Collections.unmodifiableSet(new LinkedHashSet<>(principals));
    }
  }
}
