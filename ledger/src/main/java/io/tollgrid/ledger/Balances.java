package io.tollgrid.ledger;

/**
 * The stored numbers of one account, in units, which balance at every version (R10).
 *
 * @param deposited everything ever put in: allowances, top-ups and credits
 * @param overage units billed beyond the allocation under elastic enforcement
 * @param allowance what is left of the current period's allowance
 * @param topUp what is left of the top-ups, which never expire
 * @param outstanding units out on active leases, neither billed nor returned
 * @param billed units of accepted usage
 * @param lossResident provisional loss on leases still in the entry (R12)
 * @param lossArchived provisional loss on leases that left the entry
 * @param expired allowance that a period boundary took
 * @param unfunded units of recorded usage that nothing funded (R9); outside the identity
 */
public record Balances(
    long deposited,
    long overage,
    long allowance,
    long topUp,
    long outstanding,
    long billed,
    long lossResident,
    long lossArchived,
    long expired,
    long unfunded) {

  /** All zero: the books of an account nobody funded yet. */
  public static final Balances ZERO = new Balances(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /**
   * Refuses numbers that do not balance: they are corruption, to be reported and never repaired in
   * passing (R7).
   */
  public Balances {
    if (lossResident < 0
        || lossArchived < 0
        || lossResident > Long.MAX_VALUE - lossArchived
        || unfunded < 0
        || !Conservation.holds(
            deposited,
            overage,
            allowance,
            topUp,
            outstanding,
            billed,
            lossResident + lossArchived,
            expired)) {
      throw new CorruptLedgerException(
          "books do not balance: deposited "
              + deposited
              + " + overage "
              + overage
              + " against allowance "
              + allowance
              + " + top-up "
              + topUp
              + " + outstanding "
              + outstanding
              + " + billed "
              + billed
              + " + loss "
              + lossResident
              + " + archived loss "
              + lossArchived
              + " + expired "
              + expired
              + " (unfunded "
              + unfunded
              + ")");
    }
  }

  /** Units that can be granted now: {@code allowance + topUp}. */
  public long balance() {
    return allowance + topUp;
  }

  /** Units that current funding could still serve: {@code balance + outstanding}. */
  public long remaining() {
    return balance() + outstanding;
  }

  /** All provisional loss, resident and archived. */
  public long loss() {
    return lossResident + lossArchived;
  }
}
