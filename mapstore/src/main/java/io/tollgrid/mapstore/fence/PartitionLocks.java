package io.tollgrid.mapstore.fence;

/**
 * The advisory locks of ledger partitions: shared by transactions that write or answer under a
 * fence, exclusive for the one that raises it.
 *
 * <p>Both are taken in ascending order of partition and before any row lock, and both end with
 * their transaction.
 */
public final class PartitionLocks {
  /** The class under which partitions are locked: the letters "LEDG". */
  public static final int LOCK_CLASS = 0x4C454447;

  /** Locks an array of partitions, shared. */
  public static final String LOCK_SHARED = lock("pg_advisory_xact_lock_shared");

  /** Locks an array of partitions, exclusive. */
  static final String LOCK_EXCLUSIVE = lock("pg_advisory_xact_lock");

  private PartitionLocks() {}

  private static String lock(String function) {
    return "SELECT count(" + function + "(" + LOCK_CLASS + ", p)) FROM unnest(?::int4[]) AS t(p)";
  }
}
