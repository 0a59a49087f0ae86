package io.tollgrid.mapstore.verify;

import io.tollgrid.ledger.Id128;

/**
 * Accounts from one id to another, both among them, in the order of ids.
 *
 * @param first the first id
 * @param last the last id, not before the first
 */
public record AccountRange(Id128 first, Id128 last) {
  private static final Id128 GREATEST = new Id128(-1, -1);

  /** Every account there can be. */
  public static final AccountRange ALL = new AccountRange(Id128.ZERO, GREATEST);

  /** Refuses a range without ids. */
  public AccountRange {
    if (first.compareTo(last) > 0) {
      throw new IllegalArgumentException("no account is between " + first + " and " + last);
    }
  }

  /** From an id to the greatest there can be. */
  static AccountRange from(Id128 first) {
    return new AccountRange(first, GREATEST);
  }

  /** Whether an account is in it. */
  public boolean contains(Id128 account) {
    return first.compareTo(account) <= 0 && account.compareTo(last) <= 0;
  }

  /** Whether no account can come behind it. */
  public boolean endsAll() {
    return last.equals(GREATEST);
  }

  /**
   * Where the range behind it begins.
   *
   * @throws IllegalStateException if no account can come behind it
   */
  public Id128 next() {
    if (endsAll()) {
      throw new IllegalStateException("no account comes behind " + last);
    }
    final long low = last.low() + 1;
    return new Id128(low == 0 ? last.high() + 1 : last.high(), low);
  }
}
