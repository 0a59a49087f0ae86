package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Balances;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers that a journal row and an account row both store, as read, balanced or not.
 *
 * @param deposited see {@link Balances}
 * @param overage see {@link Balances}
 * @param allowance see {@link Balances}
 * @param topUp see {@link Balances}
 * @param outstanding see {@link Balances}
 * @param billed see {@link Balances}
 * @param lossResident see {@link Balances}
 * @param lossArchived see {@link Balances}
 * @param expired see {@link Balances}
 * @param unfunded see {@link Balances}
 * @param nextFence the fence of the next lease
 * @param policyGeneration the policy's generation
 * @param periodNumber the period
 */
public record AccountNumbers(
    long deposited,
    long overage,
    long allowance,
    long topUp,
    long outstanding,
    long billed,
    long lossResident,
    long lossArchived,
    long expired,
    long unfunded,
    long nextFence,
    long policyGeneration,
    long periodNumber) {

  /** The numbers of a ledger. */
  static AccountNumbers of(AccountLedger ledger) {
    final Balances books = ledger.balances();
    return new AccountNumbers(
        books.deposited(),
        books.overage(),
        books.allowance(),
        books.topUp(),
        books.outstanding(),
        books.billed(),
        books.lossResident(),
        books.lossArchived(),
        books.expired(),
        books.unfunded(),
        ledger.nextFence(),
        ledger.policy().generation(),
        ledger.period().number());
  }

  /** Those numbers, by name, in which the two differ: {@code name → this value}. */
  Map<String, Long> unlike(AccountNumbers other) {
    final Map<String, Long> theirs = other.named();
    final Map<String, Long> different = named();
    different.entrySet().removeIf(entry -> entry.getValue().equals(theirs.get(entry.getKey())));
    return different;
  }

  private Map<String, Long> named() {
    final Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put("deposited", deposited);
    numbers.put("overage", overage);
    numbers.put("allowance", allowance);
    numbers.put("top_up", topUp);
    numbers.put("outstanding", outstanding);
    numbers.put("billed", billed);
    numbers.put("loss_resident", lossResident);
    numbers.put("loss_archived", lossArchived);
    numbers.put("expired", expired);
    numbers.put("unfunded", unfunded);
    numbers.put("next_fence", nextFence);
    numbers.put("policy_generation", policyGeneration);
    numbers.put("period_number", periodNumber);
    return numbers;
  }
}
