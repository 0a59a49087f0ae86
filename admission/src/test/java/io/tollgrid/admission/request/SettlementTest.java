package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Witnesses R9: the estimate is reserved, the actual is settled, and what nobody funds is recorded
 * as such. The table is settlement below, at and above the reservation, by what became of the lease
 * that reserved it, by the account's mode; each row names the usage events it gives, exactly.
 */
class SettlementTest {
  private static final long GRANTED = 20;
  private static final long RESERVED = 10;
  private static final long CAP = 100;
  private static final long SECOND = 1_000_000_000L;

  /** After the deadline for debits, and after the ledger may have reclaimed the lease. */
  private static final long LAPSED = TestAdmission.TTL - TestAdmission.MARGIN;

  private static final long RECLAIMED = 10 * TestAdmission.TTL;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # lease          | mode    | actual | events                      | free | overage
          CURRENT          | STRICT  |  4     | 0 lease1 4                  | 16   | 0
          CURRENT          | STRICT  | 10     | 0 lease1 10                 | 10   | 0
          CURRENT          | STRICT  | 15     | 0 lease1 10, 1 lease1 5     |  5   | 0
          CURRENT          | STRICT  | 25     | 0 lease1 10, 1 unfunded 15  | 10   | 0
          CURRENT          | ELASTIC |  4     | 0 lease1 4                  | 16   | 0
          CURRENT          | ELASTIC | 10     | 0 lease1 10                 | 10   | 0
          CURRENT          | ELASTIC | 15     | 0 lease1 10, 1 lease1 5     |  5   | 0
          CURRENT          | ELASTIC | 25     | 0 lease1 10, 1 overage 15   | 10   | 15
          DISPLACED        | STRICT  |  4     | 0 lease1 4                  | 16   | 0
          DISPLACED        | STRICT  | 10     | 0 lease1 10                 | 10   | 0
          DISPLACED        | STRICT  | 15     | 0 lease1 10, 1 lease2 5     | 10   | 0
          DISPLACED        | STRICT  | 25     | 0 lease1 10, 1 lease2 15    | 10   | 0
          DISPLACED        | STRICT  | 35     | 0 lease1 10, 1 unfunded 25  | 10   | 0
          DISPLACED        | ELASTIC |  4     | 0 lease1 4                  | 16   | 0
          DISPLACED        | ELASTIC | 10     | 0 lease1 10                 | 10   | 0
          DISPLACED        | ELASTIC | 15     | 0 lease1 10, 1 lease2 5     | 10   | 0
          DISPLACED        | ELASTIC | 35     | 0 lease1 10, 1 overage 25   | 10   | 25
          LAPSED           | STRICT  |  4     | 0 lease1 4                  | 16   | 0
          LAPSED           | STRICT  | 10     | 0 lease1 10                 | 10   | 0
          LAPSED           | STRICT  | 15     | 0 lease1 10, 1 unfunded 5   | 10   | 0
          LAPSED           | ELASTIC |  4     | 0 lease1 4                  | 16   | 0
          LAPSED           | ELASTIC | 10     | 0 lease1 10                 | 10   | 0
          LAPSED           | ELASTIC | 15     | 0 lease1 10, 1 overage 5    | 10   | 5
          RECLAIMED        | STRICT  |  4     | 0 lease1 4                  | 16   | 0
          RECLAIMED        | STRICT  | 10     | 0 lease1 10                 | 10   | 0
          RECLAIMED        | STRICT  | 15     | 0 lease1 10, 1 unfunded 5   | 10   | 0
          RECLAIMED        | ELASTIC |  4     | 0 lease1 4                  | 16   | 0
          RECLAIMED        | ELASTIC | 10     | 0 lease1 10                 | 10   | 0
          RECLAIMED        | ELASTIC | 15     | 0 lease1 10, 1 overage 5    | 10   | 5
          RECLAIMED        | ELASTIC | 111    | 0 lease1 10, 1 unfunded 101 | 10   | 0
          """)
  void aSettlementGivesExactlyTheEventsOfItsRow(
      final String became,
      final String mode,
      final long actual,
      final String events,
      final long free,
      final long overage) {
    final TestAdmission test =
        mode.equals("STRICT") ? TestAdmission.strict() : TestAdmission.elastic(CAP);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.started(RESERVED, 0);
    final long nowNanos = becomes(test, became);

    request.settle(actual, nowNanos);

    assertThat(test.events()).containsExactly(events.split(", "));
    assertThat(lease.freeUnits()).isEqualTo(free);
    assertThat(test.account.overageUsedUnits()).isEqualTo(overage);
    if (mode.equals("ELASTIC")) {
      assertThat(test.account.overage().committedUnits()).isEqualTo(overage);
    }
    assertThat(request.settledUnits()).isEqualTo(actual);
    final boolean unfunded = events.contains("unfunded");
    assertThat(request.unfundedUnits()).isEqualTo(unfunded ? actual - RESERVED : 0);
    assertThat(test.admission.counters().count(Outcome.SETTLED_UNFUNDED))
        .isEqualTo(unfunded ? 1 : 0);
    assertThat(test.admission.counters().count(Outcome.SETTLED)).isEqualTo(1);
  }

  private static long becomes(final TestAdmission test, final String what) {
    return switch (what) {
      case "CURRENT" -> 0;
      case "DISPLACED" -> {
        test.lease(GRANTED);
        yield 0;
      }
      case "LAPSED" -> LAPSED;
      case "RECLAIMED" -> {
        test.account.leases().take();
        yield RECLAIMED;
      }
      default -> throw new IllegalArgumentException(what);
    };
  }

  @Test
  void whatIsSettledBelowExtensionsComesBackFromTheLatestAndFromOverageFirst() {
    final TestAdmission test = TestAdmission.elastic(CAP);
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.started(RESERVED, 0);
    assertThat(request.extend(10, 0)).isNull();
    assertThat(request.extend(7, 0)).isNull();
    assertThat(test.account.overageUsedUnits()).isEqualTo(7);

    request.settle(12, 0);

    assertThat(test.events()).containsExactly("0 lease1 10", "1 lease1 2");
    assertThat(lease.freeUnits()).isEqualTo(8);
    assertThat(test.account.overageUsedUnits()).isZero();
    assertThat(test.account.overage().committedUnits()).isZero();
  }

  /** Ten units at once, and debts of ten: an extension is charged for as much as there is room. */
  @Test
  void noMoreRateComesBackThanWasCharged() {
    final TestKernel kernel = new TestKernel();
    final AccountState account = kernel.funded(1, AccountTerms.STRICT, 10_000);
    final Id128 principal = kernel.principal(1, 0, account);
    account.rates().publish(new RateLimits(0, 0, 10, 10), 1, 10);
    final AdmissionRequest request = kernel.started(principal, kernel.work, 2);
    assertThat(request.extend(1_000, 0)).isNull();
    assertThat(account.rates().earliestNanos(10, 0)).isEqualTo(2 * SECOND);
    request.settle(500, 0);
    assertThat(account.rates().earliestNanos(10, 0)).as("used more").isEqualTo(2 * SECOND);

    final long later = 100 * SECOND;
    final AdmissionRequest another = kernel.request();
    kernel.lease(account, 10_000, 1_000 * SECOND);
    assertThat(another.begin(principal, later)).isNull();
    assertThat(another.admit(kernel.work, 2, later)).isNull();
    assertThat(another.start(later)).isNull();
    assertThat(another.extend(1_000, later)).isNull();
    another.settle(2, later);

    assertThat(account.rates().peek(9, 0, later)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(account.rates().peek(8, 0, later)).isNull();
  }

  @Test
  void aRateThatCameDuringTheRequestGivesNothingBackForIt() {
    final TestKernel kernel = new TestKernel();
    final AccountState account = kernel.funded(1, AccountTerms.STRICT, 100);
    final AdmissionRequest request =
        kernel.started(kernel.principal(1, 0, account), kernel.work, 10);
    account.rates().publish(new RateLimits(0, 0, 10, 10), 1, 10);
    assertThat(account.rates().take(10, 0, 0)).isNull();

    request.settle(0, 0);

    assertThat(account.rates().peek(1, 0, 0)).isEqualTo(Denial.RATE_LIMITED);
  }

  /**
   * A settlement first asks the displaced lease of its reservation, which rings each time; so the
   * test gets a word in before each look at the current one. At the first it hides the units as
   * another request would, at the second it gives them back.
   */
  @Test
  void aSettlementLooksAgainForUnitsThatAreOnlyHidden() {
    final TestKernel kernel = new TestKernel();
    final AtomicReference<Runnable> rings = new AtomicReference<>(() -> {});
    final AccountState account =
        kernel
            .admission
            .accounts()
            .open(
                new Id128(0xACC, 1),
                new AccountPolicy(
                    1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false),
                () -> rings.get().run(),
                2);
    final LeaseSlot leases = account.leases();
    kernel.lease(account, RESERVED, TestAdmission.TTL);
    final AdmissionRequest request =
        kernel.started(kernel.principal(1, 0, account), kernel.work, RESERVED);
    final HeldLease current = kernel.lease(account, RESERVED, TestAdmission.TTL);
    final Runnable giveBack =
        () -> {
          leases.credit(current, RESERVED, 0);
          leases.endTentative(RESERVED, true);
        };
    final Runnable hide =
        () -> {
          leases.beginTentative(RESERVED);
          assertThat(leases.tryDebit(RESERVED, 0, 0)).isSameAs(current);
          rings.set(giveBack);
          leases.rearm(LeaseSlot.CREDITED);
        };
    rings.set(hide);

    request.settle(2 * RESERVED, 0);

    assertThat(rings.get()).as("it had looked").isSameAs(giveBack);
    assertThat(request.unfundedUnits()).isZero();
    assertThat(kernel.events())
        .containsExactly("1 BILLING 0 Leased 10 units=10", "1 BILLING 1 Leased 10 units=10");
  }

  @Test
  void anExtensionIsFundedAsAWholeOrNotAtAll() {
    final TestAdmission test = TestAdmission.strict();
    final HeldLease lease = test.lease(GRANTED);
    final AdmissionRequest request = test.started(RESERVED, 0);

    assertThat(request.extend(11, 0)).isNotNull();
    assertThat(lease.freeUnits()).isEqualTo(10);
    assertThat(request.reservedUnits()).isEqualTo(RESERVED);
    assertThat(request.extend(10, 0)).isNull();
    request.complete();

    assertThat(test.events()).containsExactly("0 lease1 10", "1 lease1 10");
    assertThat(test.admission.counters().count(Outcome.EXTENDED)).isEqualTo(1);
    assertThat(test.admission.counters().count(Outcome.EXTENSION_REFUSED)).isEqualTo(1);
  }

  @Test
  void everyUnitIsAccountedForHoweverManyPartsThereAre() {
    final TestAdmission test = new TestAdmission(AccountTerms.elastic(3), 16);
    test.lease(1_000);
    final AdmissionRequest request = test.started(1, 0);
    for (int i = 0; i < 3 * UsageSlot.MAX_PARTS; i++) {
      assertThat(request.extend(1, 0)).isNull();
    }

    request.settle(2_000, 0);

    final List<String> events = test.events();
    assertThat(events).hasSizeLessThanOrEqualTo(UsageSlot.MAX_PARTS);
    assertThat(
            events.stream()
                .mapToLong(e -> Long.parseLong(e.substring(e.lastIndexOf(' ') + 1)))
                .sum())
        .isEqualTo(2_000);
    assertThat(events.get(events.size() - 1))
        .endsWith("unfunded " + (1_999 - 3 * UsageSlot.MAX_PARTS));
  }
}
