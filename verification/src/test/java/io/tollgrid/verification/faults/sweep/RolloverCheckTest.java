package io.tollgrid.verification.faults.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.verification.faults.check.Violation;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Witnesses that no crossing which is not exact passes the check of the rollover lane (R14). */
class RolloverCheckTest {
  private static final long MIDNIGHT = TimeUnit.SECONDS.toNanos(1_796_083_200);

  /** What the ledger itself makes of an account that has missed days and holds a lease. */
  private static CrossedAccount honest() {
    final Founding founding = new Founding(3, LedgerLimits.DEFAULTS);
    final SeededAccount account = founding.idleBefore(MIDNIGHT);
    founding.leased(account, account.ledger().period().endNanos() - 1);
    final AccountLedger before = account.ledger();
    account.ask(new LedgerCommand.Cross(), MIDNIGHT + 5);
    final AccountLedger after = account.ledger();
    final Balances books = after.balances();
    return new CrossedAccount(
        before,
        List.of(
            new CrossedAccount.Crossing(
                after.version(),
                "sweeps",
                after.asOfNanos(),
                after.asOfNanos(),
                books.deposited(),
                books.expired(),
                books.allowance() + books.topUp() + books.outstanding(),
                after.period().number())),
        List.of(new CrossedAccount.Allowance(after.version(), books.allowance())),
        after.period().number(),
        after.period().endNanos());
  }

  private static List<Violation> check(CrossedAccount account) {
    return new RolloverCheck().check(account);
  }

  @Test
  void oneCrossingOverManyBoundariesIsExact() {
    assertThat(check(honest())).isEmpty();
  }

  static Stream<Named<UnaryOperator<CrossedAccount>>> falsified() {
    return Stream.of(
        Named.of("not crossed", a -> with(a, List.of(), List.of(), a.periodNumber() - 1)),
        Named.of(
            "crossed twice",
            a ->
                with(
                    a,
                    List.of(a.crossings().get(0), a.crossings().get(0)),
                    a.allowances(),
                    a.periodNumber())),
        Named.of(
            "two periods further",
            a -> with(a, a.crossings(), a.allowances(), a.periodNumber() + 1)),
        Named.of("no allowance", a -> with(a, a.crossings(), List.of(), a.periodNumber())),
        Named.of(
            "one allowance for each boundary",
            a ->
                with(
                    a,
                    a.crossings(),
                    List.of(a.allowances().get(0), a.allowances().get(0)),
                    a.periodNumber())),
        Named.of(
            "an allowance of another version",
            a ->
                with(
                    a,
                    a.crossings(),
                    List.of(
                        new CrossedAccount.Allowance(
                            a.allowances().get(0).version() + 1, a.allowances().get(0).units())),
                    a.periodNumber())),
        Named.of("too early", a -> crossing(a, a.before().period().endNanos() - 1, 0, 0, 0, 0)),
        Named.of("a unit too much deposited", a -> crossing(a, MIDNIGHT + 5, 1, 0, 0, 0)),
        Named.of("a unit that did not expire", a -> crossing(a, MIDNIGHT + 5, 0, -1, 0, 0)),
        Named.of("a unit carried over", a -> crossing(a, MIDNIGHT + 5, 0, 0, 1, 0)),
        Named.of("into another period", a -> crossing(a, MIDNIGHT + 5, 0, 0, 0, 1)),
        Named.of(
            "until another end",
            a ->
                new CrossedAccount(
                    a.before(),
                    a.crossings(),
                    a.allowances(),
                    a.periodNumber(),
                    a.periodEndNanos() + 1)));
  }

  @ParameterizedTest
  @MethodSource
  void falsified(UnaryOperator<CrossedAccount> falsified) {
    assertThat(check(falsified.apply(honest())))
        .isNotEmpty()
        .allMatch(found -> found.kind() == Violation.Kind.CROSSED_WRONGLY);
  }

  private static CrossedAccount with(
      CrossedAccount account,
      List<CrossedAccount.Crossing> crossings,
      List<CrossedAccount.Allowance> allowances,
      long periodNumber) {
    return new CrossedAccount(
        account.before(), crossings, allowances, periodNumber, account.periodEndNanos());
  }

  private static CrossedAccount crossing(
      CrossedAccount account,
      long atNanos,
      long deposited,
      long expired,
      long spendable,
      long period) {
    final CrossedAccount.Crossing was = account.crossings().get(0);
    return with(
        account,
        List.of(
            new CrossedAccount.Crossing(
                was.version(),
                was.actor(),
                atNanos,
                was.recordedAtNanos(),
                was.deposited() + deposited,
                was.expired() + expired,
                was.spendable() + spendable,
                was.periodNumber() + period)),
        account.allowances(),
        account.periodNumber());
  }
}
