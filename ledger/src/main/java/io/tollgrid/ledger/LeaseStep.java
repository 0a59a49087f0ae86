package io.tollgrid.ledger;

/**
 * The last step a holder took on its lease, kept with its receipt so that a retry is answered and
 * never repeated (R12, R16).
 *
 * @param number 1 for a lease's first step, one more for each next
 * @param kind what the step was
 * @param argument its body: units for a return or release, nanoseconds for a renewal
 * @param restoredUnits units that went back to the balance
 * @param expiredUnits units that went to {@code expired} because their period is over (R14)
 * @param lossUnits units that became provisional loss
 * @param expiresAtNanos the lease's expiry after the step
 */
public record LeaseStep(
    long number,
    Kind kind,
    long argument,
    long restoredUnits,
    long expiredUnits,
    long lossUnits,
    long expiresAtNanos) {

  /** Refuses numbers no step could have: they are corruption (R7). */
  public LeaseStep {
    if (number < 1 || argument < 0 || restoredUnits < 0 || expiredUnits < 0 || lossUnits < 0) {
      throw new CorruptLedgerException(
          "step "
              + number
              + " is impossible: "
              + kind
              + " of "
              + argument
              + ", restored "
              + restoredUnits
              + ", expired "
              + expiredUnits
              + ", loss "
              + lossUnits);
    }
  }

  /** The steps there are. */
  public enum Kind {
    /** Free units go back; the lease stays active. */
    RETURN,
    /** The expiry moves; nothing is granted. */
    RENEW,
    /** The lease ends. */
    RELEASE
  }
}
