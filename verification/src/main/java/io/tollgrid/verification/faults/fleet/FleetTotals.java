package io.tollgrid.verification.faults.fleet;

import io.tollgrid.verification.faults.check.AccountEvidence;
import io.tollgrid.verification.faults.check.AccountNumbers;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.StoredAccount;
import java.util.Map;

/**
 * What all accounts of a run come to.
 *
 * @param deposited units that were ever added
 * @param balance units that can still be leased
 * @param outstanding units on leases
 * @param billed units that were billed
 * @param loss units that were written off
 * @param expired units that ended with their period
 * @param unfunded units that were used and nobody funded; beside the others
 */
public record FleetTotals(
    long deposited,
    long balance,
    long outstanding,
    long billed,
    long loss,
    long expired,
    long unfunded) {
  /** The sums over what is stored. */
  public static FleetTotals of(FleetEvidence evidence) {
    FleetTotals sum = new FleetTotals(0, 0, 0, 0, 0, 0, 0);
    for (final AccountEvidence account : evidence.accounts()) {
      final StoredAccount stored = account.stored();
      if (stored != null) {
        sum = sum.plus(stored.numbers());
      }
    }
    return sum;
  }

  private FleetTotals plus(AccountNumbers n) {
    return new FleetTotals(
        Math.addExact(deposited, Math.addExact(n.deposited(), n.overage())),
        Math.addExact(balance, Math.addExact(n.allowance(), n.topUp())),
        Math.addExact(outstanding, n.outstanding()),
        Math.addExact(billed, n.billed()),
        Math.addExact(loss, Math.addExact(n.lossResident(), n.lossArchived())),
        Math.addExact(expired, n.expired()),
        Math.addExact(unfunded, n.unfunded()));
  }

  /** Puts the sums under their names. */
  public void countInto(Map<String, Long> counts) {
    counts.put("deposited_units", deposited);
    counts.put("balance_units", balance);
    counts.put("outstanding_units", outstanding);
    counts.put("billed_units", billed);
    counts.put("loss_units", loss);
    counts.put("expired_units", expired);
    counts.put("stored_unfunded_units", unfunded);
  }
}
