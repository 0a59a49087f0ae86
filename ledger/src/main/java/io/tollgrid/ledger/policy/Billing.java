package io.tollgrid.ledger.policy;

/** How the usage of an operation is recorded (R20). The order is stored and may only grow. */
public enum Billing {
  /** One event for each request. */
  PER_REQUEST,
  /** One event per lease and second; the ids of the requests in it are not recoverable. */
  AGGREGATED
}
