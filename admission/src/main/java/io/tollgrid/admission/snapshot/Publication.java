package io.tollgrid.admission.snapshot;

/** What became of something published to the map (R37). */
public enum Publication {
  /** It is in force. */
  ACCEPTED,
  /** It was in force already; it is fresh, or believed, for longer now. */
  CONFIRMED,
  /** A newer generation is known; nothing changed. */
  OLDER,
  /** Its own generation, or a newer one, was revoked; nothing changed. */
  REVOKED,
  /** A push for a principal that was never resolved here: read it from the source. */
  UNRESOLVED,
  /** The read began before history it may contradict was given up: read again. */
  READ_TOO_OLD
}
