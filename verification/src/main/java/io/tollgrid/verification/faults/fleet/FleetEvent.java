package io.tollgrid.verification.faults.fleet;

/** One thing that happens to a fleet while it serves. */
enum FleetEvent {
  /** An instance dies without a word, and another takes its place. */
  CRASH_INSTANCE,
  /** An instance stands still for a while, every third time for longer than its leases last. */
  FREEZE_INSTANCE,
  /** A member of the grid dies, and comes back. */
  KILL_MEMBER,
  /** Principals are revoked, and let in again. */
  REVOKE,
  /** Accounts are suspended, and activated again. */
  SUSPEND,
  /** Accounts get more units. */
  DEPOSIT,
  /** Accounts get an allowance now, or lose theirs at its end. */
  RESCHEDULE,
  /** One more instance. */
  SCALE_UP,
  /** One instance less, in order. */
  SCALE_DOWN
}
