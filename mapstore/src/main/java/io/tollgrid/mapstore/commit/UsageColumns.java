package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.MeterUnits;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a classified usage event, the same in {@code usage_event} and {@code
 * usage_rejected}. A key or policy revision of all zeroes is unstated, and stored as null.
 */
public final class UsageColumns {
  /** All of them, in the order of {@link #write}. */
  public static final Shape EVENT =
      Shape.empty()
          .with(ColumnType.UUID, "account")
          .with(ColumnType.INT8, "version")
          .with(ColumnType.UUID, "request_id")
          .with(ColumnType.INT4, "part")
          .with(ColumnType.INT8, "units", "period_number")
          .with(ColumnType.INT2, "role", "verdict", "funding")
          .with(ColumnType.UUID, "lease_id")
          .with(ColumnType.INT8, "lease_fence", "requests")
          .with(ColumnType.TEXT, "meters")
          .with(ColumnType.UUID, "key_id")
          .with(ColumnType.BYTEA, "policy_revision")
          .with(ColumnType.INT8, "occurred_at")
          .with(ColumnType.UUID, "writer")
          .with(ColumnType.INT8, "sequence");

  private static final int LEASED = 0;
  private static final int OVERAGE = 1;
  private static final int UNFUNDED = 2;

  private UsageColumns() {}

  /** The column list of an insert, and the select list that feeds it from {@code i}. */
  static String selected() {
    return EVENT.names("i").replace("i.meters", "i.meters::jsonb");
  }

  /** Adds an event's row. */
  public static void write(RowSet rows, Id128 account, long version, Effects.UsageEntry entry) {
    final UsageEvent event = entry.event();
    rows.uuid(account)
        .int8(version)
        .uuid(event.requestId())
        .integer(event.part())
        .int8(event.units())
        .int8(entry.periodNumber())
        .ordinal(event.role())
        .ordinal(entry.verdict());
    if (event.funding() instanceof Funding.Leased leased) {
      rows.integer(LEASED).uuid(leased.leaseId()).int8(leased.fence());
    } else {
      rows.integer(event.funding() instanceof Funding.Overage ? OVERAGE : UNFUNDED).nulls(2);
    }
    rows.int8(event.requests())
        .text(json(event.meters()))
        .uuid(event.keyId().equals(Id128.ZERO) ? null : event.keyId())
        .bytes(
            event.policyRevision().equals(Bits256.ZERO) ? null : event.policyRevision().toBytes())
        .int8(event.occurredAtNanos())
        .uuid(event.writer())
        .int8(event.sequence());
  }

  /**
   * A list of {@code {"meter": name, "units": n}}, or null for no breakdown: a list, because one
   * meter may appear twice.
   */
  private static @Nullable String json(List<MeterUnits> meters) {
    if (meters.isEmpty()) {
      return null;
    }
    final StringBuilder json = new StringBuilder("[");
    for (final MeterUnits share : meters) {
      json.append(json.length() == 1 ? "" : ",").append("{\"meter\":\"");
      escape(json, share.meter());
      json.append("\",\"units\":").append(share.units()).append('}');
    }
    return json.append(']').toString();
  }

  private static void escape(StringBuilder json, String text) {
    for (int i = 0; i < text.length(); i++) {
      final char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
  }
}
