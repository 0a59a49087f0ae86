package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Script;
import io.tollgrid.mapstore.sql.Shape;
import java.util.Map;
import java.util.TreeMap;

/**
 * When the credentials of a batch's accepted events were last used (R24). Confined to one lane and
 * reused from batch to batch.
 *
 * <p>Each lane raises rows of its own ({@link LaneSession#number}), in the order of their keys: a
 * credential that everybody uses makes no lane wait for another.
 */
final class KeyUses {
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final Shape USES =
      Shape.empty()
          .with(ColumnType.UUID, "key_id")
          .with(ColumnType.INT2, "lane")
          .with(ColumnType.INT8, "last_used_us");
  private static final String RAISE =
      "INSERT INTO credential_activity ("
          + USES.names()
          + ") SELECT "
          + USES.names("i")
          + " FROM "
          + USES.unnest("i")
          + " ON CONFLICT (key_id, lane) DO UPDATE SET last_used_us ="
          + " greatest(credential_activity.last_used_us, excluded.last_used_us)";

  private final Map<Id128, Long> latestNanos = new TreeMap<>();
  private final RowSet rows = new RowSet(USES);
  private int unattributable;

  void clear() {
    latestNanos.clear();
    rows.clear();
    unattributable = 0;
  }

  /** An event was accepted. It was used no later than it is recorded, whatever its writer says. */
  void add(UsageEvent event, long recordedAtNanos) {
    if (event.keyId().equals(Id128.ZERO)) {
      unattributable++;
    } else {
      latestNanos.merge(
          event.keyId(), Math.min(event.occurredAtNanos(), recordedAtNanos), Math::max);
    }
  }

  /** Adds the change, if there is one, to the rows of a lane; once per batch. */
  void addTo(Script script, int lane) {
    latestNanos.forEach(
        (key, nanos) -> rows.uuid(key).integer(lane).int8(Math.floorDiv(nanos, NANOS_PER_MICRO)));
    script.change(RAISE, rows);
  }

  /** Accepted events that name no credential. */
  int unattributable() {
    return unattributable;
  }
}
