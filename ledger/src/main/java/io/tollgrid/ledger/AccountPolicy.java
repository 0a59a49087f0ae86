package io.tollgrid.ledger;

/**
 * What the ledger says about an account beside its units; written only by the ledger, ordered by
 * its own generation (R18).
 *
 * @param generation 1 at creation, one more at each change
 * @param status whether the account takes part
 * @param capacityClass which execution capacity it may use
 * @param terms what an operator chose for it
 * @param everElastic whether the account was ever under elastic enforcement: overage recorded late,
 *     after a change to strict, is still spend that happened and is billed
 */
public record AccountPolicy(
    long generation,
    AccountStatus status,
    CapacityClass capacityClass,
    AccountTerms terms,
    boolean everElastic) {

  /** Refuses a generation below 1. */
  public AccountPolicy {
    if (generation < 1) {
      throw new IllegalArgumentException("a policy generation starts at 1, not " + generation);
    }
  }

  /** Writes its canonical form. */
  public static void write(CanonicalWriter out, AccountPolicy policy) {
    out.i64(policy.generation).ordinal(policy.status).ordinal(policy.capacityClass);
    CommandCodec.terms(out, policy.terms);
    out.flag(policy.everElastic);
  }

  /** Reads {@link #write}. */
  public static AccountPolicy read(CanonicalReader in) {
    return new AccountPolicy(
        in.i64(),
        in.ordinal(AccountStatus.values()),
        in.ordinal(CapacityClass.values()),
        CommandCodec.terms(in),
        in.flag());
  }

  AccountPolicy withStatus(AccountStatus next) {
    return new AccountPolicy(Math.addExact(generation, 1), next, capacityClass, terms, everElastic);
  }

  AccountPolicy withCapacityClass(CapacityClass next) {
    return new AccountPolicy(Math.addExact(generation, 1), status, next, terms, everElastic);
  }

  AccountPolicy withTerms(AccountTerms next) {
    return new AccountPolicy(
        Math.addExact(generation, 1),
        status,
        capacityClass,
        next,
        everElastic || next.mode() == EnforcementMode.ELASTIC);
  }
}
