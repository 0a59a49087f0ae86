package io.tollgrid.mapstore.sweep;

import io.tollgrid.ledger.Id128;

/**
 * A place in the order of what is due: everything after it is due later, or at the same instant and
 * is ordered by its ids.
 *
 * @param dueNanos when the thing at this place is due, epoch nanoseconds
 * @param account its account
 * @param lease its lease; zero where whole accounts are due
 */
public record DueCursor(long dueNanos, Id128 account, Id128 lease) {
  private static final Id128 ZERO = new Id128(0, 0);

  /** Before everything. */
  public static final DueCursor START = new DueCursor(Long.MIN_VALUE, ZERO, ZERO);

  static DueCursor of(long dueNanos, Id128 account) {
    return new DueCursor(dueNanos, account, ZERO);
  }
}
