package io.tollgrid.verification.bench.footprint;

import io.tollgrid.ledger.port.LedgerClock;

/** Policies and ledgers of so many accounts, under a clock that an instance's driver moves. */
final class VirtualGrid implements LedgerClock {
  private static final long START_NANOS = 1_700_000_000_000_000_000L;
  private static final long DEPOSIT_UNITS = 1_000_000_000L;

  private final Authority authority;
  private final MemoryLedgers ledgers = new MemoryLedgers(this);
  private long nowNanos = START_NANOS;

  VirtualGrid(int accounts) {
    authority = new Authority(accounts);
    fund(ledgers, accounts);
  }

  /** Creates the accounts, each with more than its principals will ask for. */
  static void fund(MemoryLedgers ledgers, int accounts) {
    for (int account = 0; account < accounts; account++) {
      ledgers.create(Authority.account(account), DEPOSIT_UNITS);
    }
  }

  Authority authority() {
    return authority;
  }

  MemoryLedgers ledgers() {
    return ledgers;
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  void moveTo(long nanos) {
    nowNanos = Math.max(nowNanos, nanos);
  }
}
