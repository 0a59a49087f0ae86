package io.tollgrid.verification.simulation;

/**
 * Bugs planted in the simulated fleet, to see that its checks find them. Constructed here and in
 * tests only; no configuration reaches it.
 *
 * @param noVersionCheck the store writes whatever version a decision was made at
 * @param noFenceCheck the store writes whatever fence a decision was made under
 * @param answersUnchecked an answer that writes nothing leaves the owner without asking the store
 * @param fenceKeptAfterUnknown an owner keeps its fence when it does not know what its store did
 * @param unknownTreatedAsFailed a client reports a command of unknown outcome as one that failed
 * @param reinstatedAfterUnknownConsolidation a holder spends drained units again though their
 *     consolidation may have happened
 * @param upsertInsteadOfInsert the store overwrites rows that exist
 * @param creditOnReclaim reclaim gives the unreturned units of a dead holder back to the balance
 * @param acknowledgedBeforeCommit an owner answers before its store has
 * @param scheduleNowRetried the id of a schedule that takes effect now is not looked up
 * @param writerIdReused a restarted usage writer goes on under its old id, counting from 1 again
 * @param silentDuplicates the grid executes a command twice and its client never learns of it; not
 *     a bug of ours but the assumption R3 rests on, kept here to see that it is needed
 */
record Defects(
    boolean noVersionCheck,
    boolean noFenceCheck,
    boolean answersUnchecked,
    boolean fenceKeptAfterUnknown,
    boolean unknownTreatedAsFailed,
    boolean reinstatedAfterUnknownConsolidation,
    boolean upsertInsteadOfInsert,
    boolean creditOnReclaim,
    boolean acknowledgedBeforeCommit,
    boolean scheduleNowRetried,
    boolean writerIdReused,
    boolean silentDuplicates) {

  /** The fleet as it should be. */
  static final Defects NONE = only(-1);

  /** A fleet with the one defect of this number, in the order of the components. */
  static Defects only(int number) {
    return new Defects(
        number == 0,
        number == 1,
        number == 2,
        number == 3,
        number == 4,
        number == 5,
        number == 6,
        number == 7,
        number == 8,
        number == 9,
        number == 10,
        number == 11);
  }
}
