package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Id128;

/** Names for everything in the fleet: distinct by construction, and the same in every run. */
final class Ids {
  private static final long ACCOUNT = 1;
  private static final long LEASE = 2;
  private static final long HOLDER = 3;
  private static final long WRITER = 4;
  private static final long COMMAND = 5;
  private static final int TAG_SHIFT = 56;

  private Ids() {}

  static Id128 account(int account) {
    return new Id128(ACCOUNT << TAG_SHIFT, account);
  }

  /** The account slot behind an id. */
  static int accountOf(Id128 id) {
    return (int) id.low();
  }

  static Id128 lease(int client, int account, long number) {
    return new Id128(LEASE << TAG_SHIFT | (long) client << 16 | account, number);
  }

  static Id128 holder(int client, int incarnation) {
    return new Id128(HOLDER << TAG_SHIFT | client, incarnation);
  }

  static Id128 writer(int client, int incarnation) {
    return new Id128(WRITER << TAG_SHIFT | client, incarnation);
  }

  static Id128 command(int client, long number) {
    return new Id128(COMMAND << TAG_SHIFT | client, number);
  }

  /** A time-ordered request id; distinct while {@code number} is. */
  static Id128 request(long nowNanos, int client, long number) {
    return Id128.timeOrdered(nowNanos / Scale.MILLI, client, number);
  }
}
