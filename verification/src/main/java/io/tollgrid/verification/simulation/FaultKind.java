package io.tollgrid.verification.simulation;

/** What can go wrong while a command is in flight. */
enum FaultKind {
  REQUEST_LOST,
  REQUEST_DUPLICATED,
  /** A later attempt reached an owner before an earlier one. */
  REQUEST_OVERTAKEN,
  ANSWER_LOST,
  TIMED_OUT,
  CLIENT_CRASHED,
  OWNER_CRASHED,
  OWNER_PAUSED,
  /** Another member was made owner and the old one does not know. */
  OWNER_DEPOSED,
  PARTITION_MIGRATED,
  OWNER_CLOCK_JUMPED,
  STORE_UNAVAILABLE,
  STORE_FAILED_BEFORE_COMMIT,
  STORE_FAILED_AFTER_COMMIT,
  /** The owner gave the transaction up while it was still running in the store. */
  COMMIT_LATE,
  /** The store returned, but the owner could not keep what it had written. */
  MEMORY_UPDATE_LOST
}
