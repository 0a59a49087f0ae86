package io.tollgrid.admission.denial;

/** What a caller may do after a denial (R33). */
public enum RetryClass {
  /** Nothing: the same request is refused until someone changes funding, policy or credentials. */
  NEVER,
  /** Try again at the time the request names, at the earliest. */
  AFTER,
  /** Try again soon: the cause passes by itself. */
  TRANSIENT,
  /** Try again once a commit that is under way has ended. */
  AFTER_IN_FLIGHT
}
