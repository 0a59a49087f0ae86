package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R7 and R10: stored numbers that are negative, unbalanced or contradict each other are
 * corruption, reported with the numbers and never repaired.
 */
class CorruptionTest {
  private static final Id128 ID = new Id128(1, 2);

  /** A lease of 60 + 40 units, 10 + 5 returned and 20 billed, with one thing changed. */
  private static final class LeaseTerms {
    long fence = 3;
    long period = 1;
    long grantedAllowance = 60;
    long grantedTopUp = 40;
    long returnedAllowance = 10;
    long returnedTopUp = 5;
    long billed = 20;
    long loss;
    LeaseState state = LeaseState.ACTIVE;
    long firstExpires = 100;
    long expires = 100;
    long grace = 15;

    static Lease with(Consumer<LeaseTerms> change) {
      final LeaseTerms t = new LeaseTerms();
      change.accept(t);
      return new Lease(
          new Id128(0x1EA5E, t.fence),
          ID,
          t.fence,
          ID,
          t.period,
          t.grantedAllowance,
          t.grantedTopUp,
          t.returnedAllowance,
          t.returnedTopUp,
          t.billed,
          t.loss,
          t.state,
          t.firstExpires,
          t.expires,
          t.grace,
          0,
          null);
    }
  }

  private static void assertCorrupt(Runnable making) {
    assertThatThrownBy(making::run).isInstanceOf(CorruptLedgerException.class);
  }

  @Nested
  class Leases {
    private void corrupt(Consumer<LeaseTerms> change) {
      assertCorrupt(() -> LeaseTerms.with(change));
    }

    @Test
    void ordinaryTermsAreFine() {
      final Lease lease = LeaseTerms.with(t -> {});

      assertThat(lease.granted()).isEqualTo(100);
      assertThat(lease.returned()).isEqualTo(15);
      assertThat(lease.remaining()).isEqualTo(65);
    }

    @Test
    void noTermIsNegative() {
      corrupt(t -> t.grantedAllowance = -1);
      corrupt(t -> t.grantedTopUp = -1);
      corrupt(t -> t.returnedAllowance = -1);
      corrupt(t -> t.returnedTopUp = -1);
      corrupt(t -> t.billed = -1);
      corrupt(t -> t.loss = -1);
      corrupt(t -> t.grace = -1);
    }

    @Test
    void noHalfReturnsMoreThanItWasGranted() {
      LeaseTerms.with(t -> t.returnedAllowance = 60);
      LeaseTerms.with(t -> t.returnedTopUp = 40);
      corrupt(t -> t.returnedAllowance = 61);
      corrupt(t -> t.returnedTopUp = 41);
    }

    @Test
    void returnedAndBilledNeverExceedWhatWasGranted() {
      LeaseTerms.with(t -> t.billed = 85);
      corrupt(t -> t.billed = 86);
    }

    @Test
    void theHalvesTogetherFit63Bits() {
      LeaseTerms.with(t -> t.grantedAllowance = Long.MAX_VALUE - 40);
      corrupt(t -> t.grantedAllowance = Long.MAX_VALUE - 39);
    }

    @Test
    void lossFitsTheState() {
      corrupt(t -> t.loss = 1);
      for (final LeaseState lost : List.of(LeaseState.LOSS, LeaseState.ARCHIVED)) {
        LeaseTerms.with(
            t -> {
              t.state = lost;
              t.loss = 65;
            });
        corrupt(
            t -> {
              t.state = lost;
              t.billed = 85;
            });
      }
      LeaseTerms.with(
          t -> {
            t.state = LeaseState.SETTLED;
            t.billed = 85;
          });
      corrupt(
          t -> {
            t.state = LeaseState.SETTLED;
            t.loss = 65;
          });
    }

    @Test
    void anEndedLeaseAccountsForEveryUnit() {
      corrupt(
          t -> {
            t.state = LeaseState.LOSS;
            t.loss = 64;
          });
      corrupt(
          t -> {
            t.state = LeaseState.LOSS;
            t.loss = 66;
          });
      corrupt(t -> t.state = LeaseState.SETTLED);
    }

    @Test
    void fencesStartAtOne() {
      LeaseTerms.with(t -> t.fence = 1);
      corrupt(t -> t.fence = 0);
    }

    @Test
    void theExpiryNeverLiesBeforeTheFirstOrBeyondTime() {
      LeaseTerms.with(t -> t.expires = 101);
      corrupt(t -> t.expires = 99);
      LeaseTerms.with(t -> t.expires = Long.MAX_VALUE - 15);
      corrupt(t -> t.expires = Long.MAX_VALUE - 14);
    }
  }

  @Nested
  class Steps {
    private LeaseStep step(long number, long argument, long restored, long expired, long loss) {
      return new LeaseStep(number, LeaseStep.Kind.RELEASE, argument, restored, expired, loss, 100);
    }

    @Test
    void aReceiptHoldsNoNegativeNumberAndCountsFromOne() {
      step(1, 5, 5, 0, 0);
      assertCorrupt(() -> step(0, 5, 5, 0, 0));
      assertCorrupt(() -> step(1, -1, 0, 0, 0));
      assertCorrupt(() -> step(1, 5, -1, 6, 0));
      assertCorrupt(() -> step(1, 5, 6, -1, 0));
      assertCorrupt(() -> step(1, 5, 5, 0, -1));
    }
  }

  @Nested
  class Rows {
    private StoredRow.UsageRow usage(UsageVerdict verdict, long units, long credited) {
      return new StoredRow.UsageRow(verdict, units, ID, 1, credited);
    }

    @ParameterizedTest
    @EnumSource(UsageVerdict.class)
    void anAcceptedPartAndARejectedDeliverySayWhatTheyAre(UsageVerdict verdict) {
      if (verdict.kind() == UsageVerdict.Kind.ACCEPTED) {
        assertThat(usage(verdict, 5, 0).verdict()).isEqualTo(verdict);
      } else {
        assertCorrupt(() -> usage(verdict, 5, 0));
      }
      if (verdict.kind() == UsageVerdict.Kind.REJECTED) {
        assertThat(new StoredRow.RejectedRow(verdict).verdict()).isEqualTo(verdict);
      } else {
        assertCorrupt(() -> new StoredRow.RejectedRow(verdict));
      }
    }

    @Test
    void creditsNeverExceedWhatWasRecorded() {
      usage(UsageVerdict.LEASED, 5, 5);
      assertCorrupt(() -> usage(UsageVerdict.LEASED, 5, 6));
      assertCorrupt(() -> usage(UsageVerdict.LEASED, 5, -1));
      assertCorrupt(() -> usage(UsageVerdict.LEASED, -1, 0));
    }
  }

  @Nested
  class Books {
    private Balances books(long... n) {
      return new Balances(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]);
    }

    @Test
    void bothSidesAgreeToTheUnit() {
      books(100, 10, 20, 30, 25, 15, 9, 5, 6, 7);
      assertCorrupt(() -> books(101, 10, 20, 30, 25, 15, 9, 5, 6, 7));
      assertCorrupt(() -> books(100, 9, 20, 30, 25, 15, 9, 5, 6, 7));
      for (int term = 2; term <= 8; term++) {
        final long[] off = {100, 10, 20, 30, 25, 15, 9, 5, 6, 7};
        off[term]++;
        assertCorrupt(() -> books(off));
        off[term] -= 2;
        assertCorrupt(() -> books(off));
      }
    }

    @Test
    void unfundedUsageIsOutsideTheIdentity() {
      assertThat(books(0, 0, 0, 0, 0, 0, 0, 0, 0, Long.MAX_VALUE).unfunded())
          .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void noTermIsNegativeThoughTheSumsAgree() {
      assertCorrupt(() -> books(-1, 1, 0, 0, 0, 0, 0, 0, 0, 0));
      assertCorrupt(() -> books(1, -1, 0, 0, 0, 0, 0, 0, 0, 0));
      assertCorrupt(() -> books(0, 0, -1, 1, 0, 0, 0, 0, 0, 0));
      assertCorrupt(() -> books(0, 0, 1, -1, 0, 0, 0, 0, 0, 0));
      assertCorrupt(() -> books(0, 0, 1, 0, -1, 0, 0, 0, 0, 0));
      assertCorrupt(() -> books(0, 0, 1, 0, 0, -1, 0, 0, 0, 0));
      assertCorrupt(() -> books(0, 0, 1, 0, 0, 0, -1, 0, 0, 0));
      assertCorrupt(() -> books(0, 0, 1, 0, 0, 0, 0, 0, -1, 0));
      assertCorrupt(() -> books(0, 0, 0, 0, 0, 0, 0, 0, 0, -1));
      assertCorrupt(() -> books(0, 0, 0, 0, 0, 0, -1, 1, 0, 0));
      assertCorrupt(() -> books(0, 0, 0, 0, 0, 0, 1, -1, 0, 0));
    }

    @Test
    void sumsThatOnlyAgreeByWrappingDoNotAgree() {
      final long half = Long.MAX_VALUE / 2 + 1;
      assertCorrupt(() -> books(0, 0, half, half, half, half, 0, 0, 0, 0));
      assertCorrupt(() -> books(Long.MAX_VALUE, 1, 0, 0, 0, 0, 0, 0, 0, 0));
      assertCorrupt(() -> books(0, 0, 0, 0, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE, 2, 0));
      books(Long.MAX_VALUE, 0, Long.MAX_VALUE, 0, 0, 0, 0, 0, 0, 0);
      books(0, Long.MAX_VALUE, 0, 0, 0, Long.MAX_VALUE, 0, 0, 0, 0);
    }

    @Test
    void theSumsAPersonReadsAreThoseOfTheIdentity() {
      final Balances books = books(100, 10, 20, 30, 25, 15, 9, 5, 6, 7);

      assertThat(books.balance()).isEqualTo(50);
      assertThat(books.remaining()).isEqualTo(75);
      assertThat(books.loss()).isEqualTo(14);
    }

    @Test
    void theReportNamesEveryTerm() {
      assertThatThrownBy(() -> books(1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010))
          .hasMessageContainingAll(
              "1001", "1002", "1003", "1004", "1005", "1006", "1007", "1008", "1009", "1010");
    }
  }

  @Nested
  class Ledgers {
    private final OneAccount account = OneAccount.with(1_000);
    private final Lease first = account.lease(10);
    private final Lease second = account.lease(20);
    private final Lease lost = account.lease(30);

    {
      account.release(lost, 0);
    }

    private AccountLedger rebuilt(
        UnaryOperator<List<Lease>> active,
        UnaryOperator<List<Lease>> losses,
        UnaryOperator<List<Lease>> settled) {
      final AccountLedger ledger = account.ledger();
      return new AccountLedger(
          ledger.id(),
          ledger.version(),
          ledger.asOfNanos(),
          ledger.balances(),
          ledger.policy(),
          ledger.period(),
          ledger.nextFence(),
          active.apply(ledger.active()),
          losses.apply(ledger.losses()),
          settled.apply(ledger.settled()));
    }

    private static UnaryOperator<List<Lease>> with(Lease... leases) {
      return ignored -> List.of(leases);
    }

    private void corrupt(
        UnaryOperator<List<Lease>> active,
        UnaryOperator<List<Lease>> losses,
        UnaryOperator<List<Lease>> settled) {
      assertThatThrownBy(() -> rebuilt(active, losses, settled))
          .isInstanceOf(CorruptLedgerException.class)
          .hasMessageContaining(OneAccount.ACCOUNT.toHex());
    }

    @Test
    void outstandingIsTheSumOverTheActiveLeases() {
      rebuilt(UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());
      corrupt(with(first), UnaryOperator.identity(), UnaryOperator.identity());
      corrupt(with(), UnaryOperator.identity(), UnaryOperator.identity());
    }

    @Test
    void residentLossIsTheSumOverTheLossLeases() {
      corrupt(UnaryOperator.identity(), with(), UnaryOperator.identity());
    }

    @Test
    void leasesAreInTheListOfTheirState() {
      corrupt(with(first, second, account.again(lost)), with(), UnaryOperator.identity());
      corrupt(UnaryOperator.identity(), UnaryOperator.identity(), with(account.again(lost)));
    }

    @Test
    void aLeaseCountsOnceAndLeasesAreInTheOrderOfTheirFences() {
      corrupt(with(second, first), UnaryOperator.identity(), UnaryOperator.identity());
      corrupt(with(first, first, first), UnaryOperator.identity(), UnaryOperator.identity());
    }

    @Test
    void noLeaseHasAFenceThatIsStillToBeGiven() {
      final AccountLedger ledger = account.ledger();
      assertCorrupt(
          () ->
              new AccountLedger(
                  ledger.id(),
                  ledger.version(),
                  ledger.asOfNanos(),
                  ledger.balances(),
                  ledger.policy(),
                  ledger.period(),
                  lost.fence(),
                  ledger.active(),
                  ledger.losses(),
                  ledger.settled()));
    }

    @Test
    void noLeaseIsOfAPeriodStillToCome() {
      final Lease ahead = LeaseTerms.with(t -> t.period = 1);
      final AccountLedger ledger = account.ledger();
      assertCorrupt(
          () ->
              new AccountLedger(
                  ledger.id(),
                  1,
                  1,
                  new Balances(65, 0, 0, 0, 65, 0, 0, 0, 0, 0),
                  ledger.policy(),
                  Period.UNSCHEDULED,
                  9,
                  List.of(ahead),
                  List.of(),
                  List.of()));
    }

    @Test
    void versionsAndFencesStartAtOne() {
      for (final long[] start : new long[][] {{0, 1}, {1, 0}}) {
        assertCorrupt(
            () ->
                new AccountLedger(
                    ID,
                    start[0],
                    0,
                    Balances.ZERO,
                    account.ledger().policy(),
                    Period.UNSCHEDULED,
                    start[1],
                    List.of(),
                    List.of(),
                    List.of()));
      }
    }

    @Test
    void aLeaseIsFoundInWhicheverListItIs() {
      final Lease settled = account.lease(1);
      account.release(settled, 1);

      assertThat(account.ledger().lease(first.id())).isEqualTo(first);
      assertThat(account.ledger().lease(lost.id())).isEqualTo(account.again(lost));
      assertThat(account.ledger().lease(settled.id())).isEqualTo(account.again(settled));
      assertThat(account.ledger().lease(new Id128(0, 9))).isNull();
    }
  }

  @Nested
  class Periods {
    @Test
    void aPeriodEndsExactlyIfItHasASchedule() {
      final BudgetSchedule schedule = BudgetSchedule.monthlyUtc(1);
      final Period.FundedStarts none = Period.FundedStarts.NONE;

      new Period(1, 5, schedule, null, none);
      assertCorrupt(() -> new Period(1, 5, null, null, none));
      assertCorrupt(() -> new Period(1, Period.NEVER, schedule, null, none));
      assertCorrupt(
          () -> new Period(1, Period.NEVER, null, new Period.ScheduleChange(schedule), none));
      assertCorrupt(() -> new Period(-1, Period.NEVER, null, null, none));
    }
  }
}
