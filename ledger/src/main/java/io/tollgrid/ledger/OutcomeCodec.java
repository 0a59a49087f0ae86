package io.tollgrid.ledger;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The canonical form of outcomes and of the rows they rest on. Tags are stored: append only. */
final class OutcomeCodec {
  private static final int GRANTED = 0;
  private static final int STEPPED = 1;
  private static final int USAGE_RECORDED = 2;
  private static final int FUNDED = 3;
  private static final int CHANGED = 4;
  private static final int RECLAIMED = 5;
  private static final int CROSSED = 6;
  private static final int REFUSED = 7;
  private static final int NEEDS_ROWS = 8;
  private static final int OUTDATED = 9;

  private static final int LEASE = 0;
  private static final int COMMAND = 1;
  private static final int USAGE = 2;
  private static final int DELIVERY = 3;

  private static final Comparator<RowKey> BY_BYTES =
      Comparator.comparing(OutcomeCodec::bytesOf, Arrays::compareUnsigned);

  private OutcomeCodec() {}

  static void write(CanonicalWriter out, Outcome outcome) {
    if (outcome instanceof Outcome.Granted o) {
      out.u8(GRANTED)
          .id(o.leaseId())
          .i64(o.fence())
          .i64(o.units())
          .i64(o.expiresAtNanos())
          .i64(o.restoredUnits());
      out.optional(o.evidence(), OutcomeCodec::evidence);
    } else if (outcome instanceof Outcome.Stepped o) {
      out.u8(STEPPED).id(o.leaseId());
      LedgerStateCodec.step(out, o.receipt());
    } else if (outcome instanceof Outcome.UsageRecorded o) {
      out.u8(USAGE_RECORDED).list(o.verdicts(), CanonicalWriter::ordinal);
    } else if (outcome instanceof Outcome.Funded o) {
      out.u8(FUNDED).i64(o.units()).i64(o.version());
    } else if (outcome instanceof Outcome.Changed o) {
      out.u8(CHANGED).i64(o.policyGeneration()).i64(o.version());
    } else if (outcome instanceof Outcome.Reclaimed o) {
      out.u8(RECLAIMED).i32(o.leases()).i64(o.lossUnits()).flag(o.saturated());
    } else if (outcome instanceof Outcome.Crossed o) {
      out.u8(CROSSED).i64(o.periodNumber()).i64(o.version());
    } else if (outcome instanceof Outcome.Refused o) {
      out.u8(REFUSED).ordinal(o.reason()).optional(o.evidence(), OutcomeCodec::evidence);
    } else if (outcome instanceof Outcome.NeedsRows o) {
      out.u8(NEEDS_ROWS).list(inOrder(o.keys()), OutcomeCodec::key);
    } else {
      out.u8(OUTDATED);
    }
  }

  static Outcome read(CanonicalReader in) {
    final int tag = in.u8();
    return switch (tag) {
      case GRANTED ->
          new Outcome.Granted(
              in.id(), in.i64(), in.i64(), in.i64(), in.i64(), in.optional(OutcomeCodec::evidence));
      case STEPPED -> new Outcome.Stepped(in.id(), LedgerStateCodec.step(in));
      case USAGE_RECORDED ->
          new Outcome.UsageRecorded(in.list(r -> r.ordinal(UsageVerdict.values())));
      case FUNDED -> new Outcome.Funded(in.i64(), in.i64());
      case CHANGED -> new Outcome.Changed(in.i64(), in.i64());
      case RECLAIMED -> new Outcome.Reclaimed(in.i32(), in.i64(), in.flag());
      case CROSSED -> new Outcome.Crossed(in.i64(), in.i64());
      case REFUSED ->
          new Outcome.Refused(in.ordinal(Refusal.values()), in.optional(OutcomeCodec::evidence));
      case NEEDS_ROWS -> {
        final List<RowKey> keys = in.list(OutcomeCodec::key);
        requireInOrder(keys);
        yield new Outcome.NeedsRows(Set.copyOf(keys));
      }
      case OUTDATED -> new Outcome.Outdated();
      default -> throw new MalformedBytesException("no outcome has the tag " + tag);
    };
  }

  static void key(CanonicalWriter out, RowKey key) {
    if (key instanceof RowKey.LeaseKey k) {
      out.u8(LEASE).id(k.leaseId());
    } else if (key instanceof RowKey.CommandKey k) {
      out.u8(COMMAND).id(k.commandId());
    } else if (key instanceof RowKey.UsageKey k) {
      out.u8(USAGE).id(k.requestId()).i32(k.part());
    } else {
      final RowKey.DeliveryKey k = (RowKey.DeliveryKey) key;
      out.u8(DELIVERY).id(k.writer()).i64(k.sequence());
    }
  }

  static RowKey key(CanonicalReader in) {
    final int tag = in.u8();
    return switch (tag) {
      case LEASE -> new RowKey.LeaseKey(in.id());
      case COMMAND -> new RowKey.CommandKey(in.id());
      case USAGE -> new RowKey.UsageKey(in.id(), in.i32());
      case DELIVERY -> new RowKey.DeliveryKey(in.id(), in.i64());
      default -> throw new MalformedBytesException("no row key has the tag " + tag);
    };
  }

  /** Keys of a set in their one order: that of their bytes. */
  static List<RowKey> inOrder(Collection<RowKey> keys) {
    return keys.stream().sorted(BY_BYTES).toList();
  }

  /** Refuses keys that {@link #inOrder} would not have written: no value has two forms. */
  static void requireInOrder(List<RowKey> keys) {
    for (int i = 1; i < keys.size(); i++) {
      if (BY_BYTES.compare(keys.get(i - 1), keys.get(i)) >= 0) {
        throw new MalformedBytesException(
            "row keys out of order or repeated: " + keys.get(i - 1) + ", " + keys.get(i));
      }
    }
  }

  private static byte[] bytesOf(RowKey key) {
    final CanonicalWriter out = new CanonicalWriter();
    key(out, key);
    return out.toBytes();
  }

  static void row(CanonicalWriter out, StoredRow row) {
    if (row instanceof StoredRow.LeaseRow r) {
      out.u8(LEASE);
      LedgerStateCodec.lease(out, r.lease());
    } else if (row instanceof StoredRow.CommandRow r) {
      out.u8(COMMAND).id(r.bodyHash());
      write(out, r.outcome());
    } else if (row instanceof StoredRow.UsageRow r) {
      out.u8(USAGE)
          .ordinal(r.verdict())
          .i64(r.units())
          .id(r.writer())
          .i64(r.sequence())
          .i64(r.creditedUnits());
    } else {
      out.u8(DELIVERY).ordinal(((StoredRow.RejectedRow) row).verdict());
    }
  }

  static StoredRow row(CanonicalReader in) {
    final int tag = in.u8();
    return switch (tag) {
      case LEASE -> new StoredRow.LeaseRow(LedgerStateCodec.lease(in));
      case COMMAND -> new StoredRow.CommandRow(in.id(), applied(read(in)));
      case USAGE ->
          new StoredRow.UsageRow(
              in.ordinal(UsageVerdict.values()), in.i64(), in.id(), in.i64(), in.i64());
      case DELIVERY -> new StoredRow.RejectedRow(in.ordinal(UsageVerdict.values()));
      default -> throw new MalformedBytesException("no row has the tag " + tag);
    };
  }

  static Outcome.Applied applied(Outcome outcome) {
    if (outcome instanceof Outcome.Applied applied) {
      return applied;
    }
    throw new MalformedBytesException(
        "a command row remembers something that took effect, not " + outcome);
  }

  private static void evidence(CanonicalWriter out, Evidence evidence) {
    out.i64(evidence.remainingUnits()).i64(evidence.periodEndNanos()).i64(evidence.version());
  }

  private static Evidence evidence(CanonicalReader in) {
    return new Evidence(in.i64(), in.i64(), in.i64());
  }
}
