package io.tollgrid.verification.simulation;

import org.jspecify.annotations.Nullable;

/** How a store's transaction can end for the owner that asked for it. */
enum StoreFault {
  /** As it should. */
  NONE(null),
  /** Refused at once, with a code: nothing was written. */
  UNAVAILABLE(FaultKind.STORE_UNAVAILABLE),
  /** The connection broke before the commit: nothing was written, the owner does not know. */
  BEFORE_COMMIT(FaultKind.STORE_FAILED_BEFORE_COMMIT),
  /** The connection broke after the commit: all was written, the owner does not know. */
  AFTER_COMMIT(FaultKind.STORE_FAILED_AFTER_COMMIT),
  /** The connection broke while the commit was on its way: it will happen, or not, later. */
  LATE(FaultKind.COMMIT_LATE),
  /** All was written and the owner's store knew, but the grid failed before memory did. */
  UPDATE_LOST(FaultKind.MEMORY_UPDATE_LOST);

  private final @Nullable FaultKind kind;

  StoreFault(@Nullable FaultKind kind) {
    this.kind = kind;
  }

  /** The row of the coverage table it counts in, null for none. */
  @Nullable FaultKind kind() {
    return kind;
  }
}
