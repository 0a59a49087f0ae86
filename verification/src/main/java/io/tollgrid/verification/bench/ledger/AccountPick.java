package io.tollgrid.verification.bench.ledger;

import io.tollgrid.node.replay.AccountDraw;
import java.util.concurrent.atomic.AtomicLong;

/** Which account the next command is for; safe for use from any thread. */
@FunctionalInterface
public interface AccountPick {
  /** A position from 0. */
  int next();

  /** Every account as likely as every other. */
  static AccountPick uniform(int accounts, long seed) {
    final AtomicLong calls = new AtomicLong(seed);
    return () -> (int) Long.remainderUnsigned(mixed(calls.getAndIncrement()), accounts);
  }

  /** Zipf with exponent 1.1, as a replay draws its accounts. */
  static AccountPick zipf(int accounts, long seed) {
    final AccountDraw draw = new AccountDraw(seed, accounts);
    final AtomicLong calls = new AtomicLong();
    return () -> draw.rankOf(calls.getAndIncrement()) - 1;
  }

  private static long mixed(long x) {
    final long y = (x ^ (x >>> 33)) * 0xFF51AFD7ED558CCDL;
    final long z = (y ^ (y >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return z ^ (z >>> 33);
  }
}
