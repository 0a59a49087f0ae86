package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import java.util.List;

/**
 * An account before its midnight, and all that is stored of its crossing.
 *
 * @param before the account as it was founded
 * @param crossings every later version that moved its period, in order
 * @param allowances every allowance it was funded with since
 * @param periodNumber its period now
 * @param periodEndNanos when that ends, epoch nanoseconds
 */
record CrossedAccount(
    AccountLedger before,
    List<Crossing> crossings,
    List<Allowance> allowances,
    long periodNumber,
    long periodEndNanos) {
  CrossedAccount {
    crossings = List.copyOf(crossings);
    allowances = List.copyOf(allowances);
  }

  /**
   * A version that moved the period.
   *
   * @param version which
   * @param actor whose command it was
   * @param ledgerTimeNanos when, by the ledger
   * @param recordedAtNanos when, by the store
   * @param deposited units ever added, afterwards
   * @param expired units ever expired, afterwards
   * @param spendable allowance, top-up and what is out on leases, afterwards
   * @param periodNumber the period afterwards
   */
  record Crossing(
      long version,
      String actor,
      long ledgerTimeNanos,
      long recordedAtNanos,
      long deposited,
      long expired,
      long spendable,
      long periodNumber) {}

  /**
   * An allowance that was deposited.
   *
   * @param version with which version
   * @param units how much
   */
  record Allowance(long version, long units) {}
}
