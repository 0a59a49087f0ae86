package io.tollgrid.mapstore.sweep;

import io.tollgrid.ledger.Id128;
import java.util.List;
import java.util.Optional;

/**
 * One page of what is due at a cutoff.
 *
 * @param accounts each account once, oldest due first
 * @param first the place of the first thing on it; empty for an empty page
 * @param next where the following page begins; empty when the page was not full, so that nothing
 *     follows it
 */
public record DuePage(List<Id128> accounts, Optional<DueCursor> first, Optional<DueCursor> next) {
  /** A page of nothing. */
  public static final DuePage EMPTY = new DuePage(List.of(), Optional.empty(), Optional.empty());

  /** Copies the list. */
  public DuePage {
    accounts = List.copyOf(accounts);
  }
}
