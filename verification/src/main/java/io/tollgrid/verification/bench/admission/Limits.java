package io.tollgrid.verification.bench.admission;

import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.RateLimits;

/** Which limits a request passes on its way; none of them is ever reached. */
public enum Limits {
  /** A lease and nothing else. */
  NONE(false, false),
  /** Requests per second and units per second. */
  RATES(true, false),
  /** Requests at once, of the principal and of its account. */
  CEILINGS(false, true),
  /** Both rates and both ceilings. */
  BOTH(true, true);

  /** Twice what a worker asks for, see {@link Worker#STEP_NANOS}. */
  private static final RateLimits NEVER_REACHED =
      new RateLimits(
          2 * Worker.REQUESTS_PER_SECOND,
          Worker.REQUESTS_PER_SECOND,
          2 * Worker.REQUESTS_PER_SECOND * KernelFixture.UNITS,
          Worker.REQUESTS_PER_SECOND * KernelFixture.UNITS);

  private static final long CEILING = 1_000;

  private final boolean rates;
  private final boolean ceilings;

  Limits(boolean rates, boolean ceilings) {
    this.rates = rates;
    this.ceilings = ceilings;
  }

  /** What the account's policy says. */
  AccountTerms terms() {
    return new AccountTerms(
        EnforcementMode.STRICT, 0, rates ? NEVER_REACHED : RateLimits.NONE, ceiling());
  }

  /** Requests of a principal, and of an account, that may run at once; 0 for no ceiling. */
  long ceiling() {
    return ceilings ? CEILING : 0;
  }
}
