package io.tollgrid.mapstore.commit;

/**
 * Bugs planted on purpose, to show that the harnesses would find them. Handed in through a
 * constructor and by nothing else: no configuration leads here.
 *
 * @param versionUnchecked a transition is written whatever version the account is at
 * @param fenceUnchecked a transition is written whoever owns the partition
 * @param leaseUpserted a lease that exists is overwritten instead of refused
 * @param scheduleRetried the id of a schedule that takes effect now is not looked up
 * @param answersUnchecked an answer that writes nothing leaves without a look at the store
 * @param acknowledgedBeforeCommit the caller is let go before COMMIT
 * @param unknownTreatedAsFailed a COMMIT of unknown outcome is reported as not written
 * @param fenceKeptAfterUnknown the ownership fence stays held after an unknown outcome
 */
public record Defects(
    boolean versionUnchecked,
    boolean fenceUnchecked,
    boolean leaseUpserted,
    boolean scheduleRetried,
    boolean answersUnchecked,
    boolean acknowledgedBeforeCommit,
    boolean unknownTreatedAsFailed,
    boolean fenceKeptAfterUnknown) {
  /** None. */
  public static final Defects NONE = only(-1);

  /** Only {@code versionUnchecked}. */
  public static final Defects VERSION_UNCHECKED = only(0);

  /** Only {@code fenceUnchecked}. */
  public static final Defects FENCE_UNCHECKED = only(1);

  /** Only {@code leaseUpserted}. */
  public static final Defects LEASE_UPSERTED = only(2);

  /** Only {@code scheduleRetried}. */
  public static final Defects SCHEDULE_RETRIED = only(3);

  /** Only {@code answersUnchecked}. */
  public static final Defects ANSWERS_UNCHECKED = only(4);

  /** Only {@code acknowledgedBeforeCommit}. */
  public static final Defects ACKNOWLEDGED_BEFORE_COMMIT = only(5);

  /** Only {@code unknownTreatedAsFailed}. */
  public static final Defects UNKNOWN_TREATED_AS_FAILED = only(6);

  /** Only {@code fenceKeptAfterUnknown}. */
  public static final Defects FENCE_KEPT_AFTER_UNKNOWN = only(7);

  private static Defects only(int number) {
    return new Defects(
        number == 0,
        number == 1,
        number == 2,
        number == 3,
        number == 4,
        number == 5,
        number == 6,
        number == 7);
  }
}
