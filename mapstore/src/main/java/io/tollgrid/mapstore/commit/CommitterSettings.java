package io.tollgrid.mapstore.commit;

import io.tollgrid.mapstore.database.SessionSettings;
import java.time.Duration;

/**
 * The bounds of a {@link GroupCommitter}.
 *
 * @param lanes lanes for ordinary transitions, 1 or more
 * @param heavyRows usage rows from which on a transition goes through the lane of its own kind
 * @param maxBatchRows rows one transaction may carry: one per transition and one per usage event
 * @param maxWaiting callers waiting or being served per kind, 1 or more
 * @param maxAgeNanos age of the oldest of them beyond which callers are turned away
 * @param maxSkewNanos how far ledger time may be ahead of PostgreSQL's clock (R57)
 * @param session what every committer session must be set to
 */
public record CommitterSettings(
    int lanes,
    int heavyRows,
    int maxBatchRows,
    int maxWaiting,
    long maxAgeNanos,
    long maxSkewNanos,
    SessionSettings session) {
  /** The defaults of the product. */
  public static final CommitterSettings DEFAULTS =
      new CommitterSettings(
          2,
          32,
          1_024,
          4_096,
          Duration.ofSeconds(2).toNanos(),
          Duration.ofMillis(500).toNanos(),
          SessionSettings.COMMITTER);

  /** Refuses bounds that bound nothing. */
  public CommitterSettings {
    if (lanes < 1
        || heavyRows < 1
        || maxBatchRows < 1
        || maxWaiting < 1
        || maxAgeNanos < 1
        || maxSkewNanos < 0) {
      throw new IllegalArgumentException("a committer setting is out of range");
    }
  }

  /** These settings with another number of ordinary lanes. */
  public CommitterSettings withLanes(int count) {
    return new CommitterSettings(
        count, heavyRows, maxBatchRows, maxWaiting, maxAgeNanos, maxSkewNanos, session);
  }

  /** These settings with another bound on the oldest waiting caller's age. */
  public CommitterSettings withMaxAge(Duration age) {
    return new CommitterSettings(
        lanes, heavyRows, maxBatchRows, maxWaiting, age.toNanos(), maxSkewNanos, session);
  }

  /** These settings with another bound on callers. */
  public CommitterSettings withMaxWaiting(int callers) {
    return new CommitterSettings(
        lanes, heavyRows, maxBatchRows, callers, maxAgeNanos, maxSkewNanos, session);
  }

  /** These settings with another clock skew allowed. */
  public CommitterSettings withMaxSkew(Duration skew) {
    return new CommitterSettings(
        lanes, heavyRows, maxBatchRows, maxWaiting, maxAgeNanos, skew.toNanos(), session);
  }

  /** These settings with other session settings. */
  public CommitterSettings withSession(SessionSettings other) {
    return new CommitterSettings(
        lanes, heavyRows, maxBatchRows, maxWaiting, maxAgeNanos, maxSkewNanos, other);
  }

  /** Connections the committer keeps open: its ordinary lanes and the heavy one. */
  public int connections() {
    return lanes + 1;
  }
}
