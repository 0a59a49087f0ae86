package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.verification.faults.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Judges whether accounts crossed their boundary once: one version that moves the period by one,
 * expires what the old allowance had left, deposits one allowance however many boundaries passed,
 * leaves all else, and ends the new period where the calendar says (R14). Not thread-safe.
 */
final class RolloverCheck {
  private final Boundaries boundaries = new Boundaries();

  List<Violation> check(CrossedAccount account) {
    final List<Violation> violations = new ArrayList<>();
    final AccountLedger before = account.before();
    final Balances books = before.balances();
    final BudgetSchedule schedule =
        Objects.requireNonNull(before.period().schedule(), "it has a schedule");
    final long period = before.period().number() + 1;
    expect(violations, before, "period", period, account.periodNumber());
    expect(violations, before, "crossings", 1, account.crossings().size());
    if (account.crossings().isEmpty()) {
      return violations;
    }
    final CrossedAccount.Crossing crossing = account.crossings().get(0);
    expect(violations, before, "period after the crossing", period, crossing.periodNumber());
    if (crossing.ledgerTimeNanos() < before.period().endNanos()) {
      expect(
          violations,
          before,
          "earliest time of the crossing",
          before.period().endNanos(),
          crossing.ledgerTimeNanos());
    }
    final CrossedAccount.Allowance due =
        new CrossedAccount.Allowance(crossing.version(), schedule.amountUnits());
    if (!account.allowances().equals(List.of(due))) {
      violations.add(
          new Violation(
              Violation.Kind.CROSSED_WRONGLY,
              before.id(),
              null,
              "one allowance, " + due,
              account.allowances().toString()));
    }
    expect(
        violations,
        before,
        "deposited by the crossing",
        schedule.amountUnits(),
        crossing.deposited() - books.deposited());
    expect(
        violations,
        before,
        "expired by the crossing",
        books.allowance(),
        crossing.expired() - books.expired());
    expect(
        violations,
        before,
        "spendable after the crossing",
        books.topUp() + books.outstanding() + schedule.amountUnits(),
        crossing.spendable());
    expect(
        violations,
        before,
        "end of the new period",
        boundaries.after(schedule, crossing.ledgerTimeNanos()),
        account.periodEndNanos());
    return violations;
  }

  private static void expect(
      List<Violation> violations, AccountLedger of, String what, long expected, long found) {
    if (expected != found) {
      violations.add(
          new Violation(
              Violation.Kind.CROSSED_WRONGLY,
              of.id(),
              null,
              what + " " + expected,
              Long.toString(found)));
    }
  }
}
