package io.tollgrid.admission.outcome;

/**
 * What can become of a request that was admitted, besides the qualifiers that count some of them a
 * second time under another aspect (R4, R32).
 */
public enum Outcome {
  /** Admitted: it was funded. */
  ADMITTED,
  /** Of the admitted, those funded by overage. A qualifier. */
  ADMITTED_OVERAGE,
  /** It started. */
  EXECUTION_STARTED,
  /** Of the admitted, those that a lapsed lease moved to overage at start. A qualifier. */
  COMMITTED_AT_OVERAGE,
  /** It was shed at start for want of capacity. */
  CAPACITY_SHED,
  /** It was refused at start for any other reason. */
  REFUSED_AT_START,
  /** It was cancelled before start. */
  CANCELLED_BEFORE_START,
  /** It was never started and never cancelled; its reservation was taken back. */
  ABANDONED_BEFORE_START,
  /** It started and was never settled; it was charged as reserved. Of the started. */
  ABANDONED_AFTER_START,
  /** It was settled or completed. Of the started. */
  SETTLED,
  /** Extensions that were funded. */
  EXTENDED,
  /** Extensions that were refused. */
  EXTENSION_REFUSED,
  /** Requests whose actual amount nobody funded in full (R9). Of the settled. */
  SETTLED_UNFUNDED
}
