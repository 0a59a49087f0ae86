package io.tollgrid.client;

/** What an event can hit. */
enum FleetCondition {
  /** Nothing goes wrong. */
  CALM,
  /** Lease commands fail, or end as unknown. */
  ROUGH,
  /** Every ledger and the authority stand still. */
  STANDSTILL,
  /** Reads of policies fail, are late or old. */
  MISREAD,
  /** Word is lost, late or heard twice. */
  UNHEARD,
  /** A lease command is under way. */
  COMMAND_UNDER_WAY,
  /** A command waits whose outcome nobody could tell. */
  PARKED,
  /** A policy read is under way. */
  READ_UNDER_WAY,
  /** Requests run. */
  WORK_RUNNING,
  /** An instance is shutting down. */
  STOPPING
}
