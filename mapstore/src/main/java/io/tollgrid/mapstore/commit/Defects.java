package io.tollgrid.mapstore.commit;

/**
 * Bugs planted on purpose, to show that the harnesses would find them. Handed in through a
 * constructor and by nothing else: no configuration leads here.
 *
 * @param versionUnchecked a transition is written whatever version the account is at
 * @param fenceUnchecked a transition is written whoever owns the partition
 * @param leaseUpserted a lease that exists is overwritten instead of refused
 * @param answersUnchecked an answer that writes nothing leaves without a look at the store
 * @param acknowledgedBeforeCommit the caller is let go before COMMIT
 * @param unknownTreatedAsFailed a COMMIT of unknown outcome is reported as not written
 * @param fenceKeptAfterUnknown the ownership fence stays held after an unknown outcome
 */
public record Defects(
    boolean versionUnchecked,
    boolean fenceUnchecked,
    boolean leaseUpserted,
    boolean answersUnchecked,
    boolean acknowledgedBeforeCommit,
    boolean unknownTreatedAsFailed,
    boolean fenceKeptAfterUnknown) {
  /** None. */
  public static final Defects NONE = new Defects(false, false, false, false, false, false, false);

  /** Only {@code versionUnchecked}. */
  public static final Defects VERSION_UNCHECKED =
      new Defects(true, false, false, false, false, false, false);

  /** Only {@code fenceUnchecked}. */
  public static final Defects FENCE_UNCHECKED =
      new Defects(false, true, false, false, false, false, false);

  /** Only {@code leaseUpserted}. */
  public static final Defects LEASE_UPSERTED =
      new Defects(false, false, true, false, false, false, false);

  /** Only {@code answersUnchecked}. */
  public static final Defects ANSWERS_UNCHECKED =
      new Defects(false, false, false, true, false, false, false);

  /** Only {@code acknowledgedBeforeCommit}. */
  public static final Defects ACKNOWLEDGED_BEFORE_COMMIT =
      new Defects(false, false, false, false, true, false, false);

  /** Only {@code unknownTreatedAsFailed}. */
  public static final Defects UNKNOWN_TREATED_AS_FAILED =
      new Defects(false, false, false, false, false, true, false);

  /** Only {@code fenceKeptAfterUnknown}. */
  public static final Defects FENCE_KEPT_AFTER_UNKNOWN =
      new Defects(false, false, false, false, false, false, true);
}
