package io.tollgrid.ledger;

/**
 * The part of an account policy that an operator replaces as a whole.
 *
 * @param mode strict or elastic enforcement
 * @param overageCapUnits units an instance may admit beyond its leases in its process lifetime, 0
 *     or more; 0 under strict
 * @param rates request-count and weighted rates
 * @param concurrencyCeiling requests of the account running at once on one instance, 0 for no
 *     ceiling
 */
public record AccountTerms(
    EnforcementMode mode, long overageCapUnits, RateLimits rates, long concurrencyCeiling) {
  /** Strict, no rates, no ceiling. */
  public static final AccountTerms STRICT =
      new AccountTerms(EnforcementMode.STRICT, 0, RateLimits.NONE, 0);

  /** Refuses negative numbers, and an overage cap under strict enforcement. */
  public AccountTerms {
    if (overageCapUnits < 0 || concurrencyCeiling < 0) {
      throw new IllegalArgumentException(
          "an overage cap of "
              + overageCapUnits
              + " units or a ceiling of "
              + concurrencyCeiling
              + " requests is negative");
    }
    if (mode == EnforcementMode.STRICT && overageCapUnits > 0) {
      throw new IllegalArgumentException(
          "strict enforcement admits no overage, so its cap is 0, not " + overageCapUnits);
    }
  }

  /** Elastic with this cap, no rates, no ceiling. */
  public static AccountTerms elastic(long overageCapUnits) {
    return new AccountTerms(EnforcementMode.ELASTIC, overageCapUnits, RateLimits.NONE, 0);
  }
}
