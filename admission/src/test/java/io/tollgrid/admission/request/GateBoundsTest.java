package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R28, R29 and R8 at the bounds of the gate's checks: the last quantity that passes, the
 * first that does not, and what is left behind on legs that others refused.
 */
class GateBoundsTest {
  private static final long MOST_ITEMS = 1_000_000;
  private static final long SECOND = 1_000_000_000L;

  private final TestKernel kernel = new TestKernel();
  private final AccountState user = kernel.funded(1, AccountTerms.STRICT, MOST_ITEMS);
  private final AccountState company = kernel.funded(2, AccountTerms.STRICT, MOST_ITEMS);
  private final Id128 alone = kernel.principal(1, 0, user);
  private final Id128 shared = kernel.principal(2, 0, user, company);
  private final AdmissionRequest request = kernel.request();

  @Test
  void asManyItemsAsTheOperationMayHavePass() {
    assertThat(admit(alone, MOST_ITEMS + 1)).isEqualTo(Denial.TOO_MANY_ITEMS);
    assertThat(admit(alone, MOST_ITEMS)).isNull();
  }

  @Test
  void theSizeOfAQuoteIsNotedWhateverBecomesOfIt() {
    assertThat(admit(shared, 7)).isNull();
    request.cancel();
    assertThat(user.leases().largestQuoteUnits()).isEqualTo(7);
    assertThat(company.leases().largestQuoteUnits()).isEqualTo(7);
    kernel.lease(user, 5, 1_000);

    assertThat(admit(alone, 9)).isEqualTo(Denial.INSUFFICIENT_LEASE);
    assertThat(user.leases().largestQuoteUnits()).isEqualTo(9);
  }

  @Test
  void aQuoteThatNoBucketEverHoldsIsUnpriceableOnTheOnlyLeg() {
    user.rates().publish(new RateLimits(0, 0, 10, 10), 1, 10);

    assertThat(admit(alone, 11)).isEqualTo(Denial.UNPRICEABLE_UNDER_LIMITS);
    assertThat(request.refusingAccount()).isSameAs(user);
    assertThat(admit(alone, 10)).isNull();
  }

  @Test
  void aQuoteThatNoBucketEverHoldsIsUnpriceableOnAnyLegBeforeARateIsAsked() {
    user.rates().publish(new RateLimits(1, 1, 0, 0), 1, 10);
    company.rates().publish(new RateLimits(0, 0, 10, 10), 1, 10);
    assertThat(user.rates().take(0, 0, 0)).isNull();

    assertThat(admit(shared, 11)).isEqualTo(Denial.UNPRICEABLE_UNDER_LIMITS);
    assertThat(request.refusingLeg()).isEqualTo(1);
    assertThat(request.refusingAccount()).isSameAs(company);
    assertThat(admit(shared, 10)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(request.refusingLeg()).isZero();
    assertThat(company.rates().peek(10, 0, 0)).as("nothing was taken").isNull();
  }

  @Test
  void everyLegsRatesAreTakenFrom() {
    user.rates().publish(new RateLimits(1, 2, 10, 20), 1, 10);
    company.rates().publish(new RateLimits(1, 1, 10, 10), 1, 10);

    assertThat(admit(shared, 4)).isNull();

    assertThat(user.rates().peek(17, 0, 0)).isEqualTo(Denial.RATE_LIMITED);
    assertThat(user.rates().peek(16, 0, 0)).isNull();
    assertThat(company.rates().peek(1, 0, 0)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(company.rates().peek(6, 0, SECOND)).isNull();
    request.cancel();
    assertThat(admit(shared, 4)).isEqualTo(Denial.REQUEST_RATE_LIMITED);
    assertThat(request.refusingAccount()).isSameAs(company);
    assertThat(request.retryAtNanos()).isEqualTo(SECOND);
  }

  @Test
  void aLegThatRefusesHidNothing() {
    kernel.lease(user, 5, 1_000);
    final long ofUser = user.leases().moment();
    final long ofCompany = company.leases().moment();

    assertThat(admit(shared, 6)).isEqualTo(Denial.INSUFFICIENT_LEASE);

    assertThat(user.leases().hiddenUnits(ofUser, 0)).isZero();
    assertThat(company.leases().hiddenUnits(ofCompany, 0)).isZero();
    assertThat(company.leases().freeUnits()).isEqualTo(MOST_ITEMS);
  }

  private Denial admit(final Id128 principal, final long items) {
    TestKernel.expectNothing(request.begin(principal, 0));
    return request.admit(kernel.work, items, 0);
  }
}
