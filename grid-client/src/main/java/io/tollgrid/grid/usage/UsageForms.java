package io.tollgrid.grid.usage;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import io.tollgrid.ledger.LedgerCodec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The wire forms of usage on its way, all Compact. */
public final class UsageForms {
  /** The serializers; stateless. */
  public static final List<CompactSerializer<?>> SERIALIZERS =
      List.of(
          new EntrySerializer(),
          new LeaveSerializer(),
          new AskSerializer(),
          new ForgetSerializer(),
          new ClassifySerializer(),
          new TakenSerializer());

  private UsageForms() {}

  private static byte[] required(byte @Nullable [] bytes) {
    return Objects.requireNonNull(bytes, "a wire form lacks a field");
  }

  private static final class EntrySerializer implements CompactSerializer<InboxEntry> {
    @Override
    public InboxEntry read(CompactReader reader) {
      return new InboxEntry(
          required(reader.readArrayOfInt8("events")),
          UsageVerdicts.of(required(reader.readArrayOfInt8("verdicts"))));
    }

    @Override
    public void write(CompactWriter writer, InboxEntry entry) {
      writer.writeArrayOfInt8("events", entry.events());
      writer.writeArrayOfInt8("verdicts", entry.verdicts().toBytes());
    }

    @Override
    public String getTypeName() {
      return "tollgrid.inbox-entry";
    }

    @Override
    public Class<InboxEntry> getCompactClass() {
      return InboxEntry.class;
    }
  }

  private static final class LeaveSerializer implements CompactSerializer<LeaveUsage> {
    @Override
    public LeaveUsage read(CompactReader reader) {
      return new LeaveUsage(
          required(reader.readArrayOfInt8("events")),
          reader.readInt32("count"),
          reader.readBoolean("rings"));
    }

    @Override
    public void write(CompactWriter writer, LeaveUsage leave) {
      writer.writeArrayOfInt8("events", leave.events());
      writer.writeInt32("count", leave.count());
      writer.writeBoolean("rings", leave.rings());
    }

    @Override
    public String getTypeName() {
      return "tollgrid.leave-usage";
    }

    @Override
    public Class<LeaveUsage> getCompactClass() {
      return LeaveUsage.class;
    }
  }

  private static final class AskSerializer implements CompactSerializer<AskUsage> {
    @Override
    public AskUsage read(CompactReader reader) {
      return new AskUsage();
    }

    @Override
    public void write(CompactWriter writer, AskUsage ask) {
      writer.writeInt8("form", (byte) LedgerCodec.VERSION);
    }

    @Override
    public String getTypeName() {
      return "tollgrid.ask-usage";
    }

    @Override
    public Class<AskUsage> getCompactClass() {
      return AskUsage.class;
    }
  }

  private static final class ForgetSerializer implements CompactSerializer<ForgetUsage> {
    @Override
    public ForgetUsage read(CompactReader reader) {
      return new ForgetUsage();
    }

    @Override
    public void write(CompactWriter writer, ForgetUsage forget) {
      writer.writeInt8("form", (byte) LedgerCodec.VERSION);
    }

    @Override
    public String getTypeName() {
      return "tollgrid.forget-usage";
    }

    @Override
    public Class<ForgetUsage> getCompactClass() {
      return ForgetUsage.class;
    }
  }

  private static final class ClassifySerializer implements CompactSerializer<ClassifyUsage> {
    @Override
    public ClassifyUsage read(CompactReader reader) {
      return new ClassifyUsage(
          Objects.requireNonNull(reader.readArrayOfInt32("positions")),
          required(reader.readArrayOfInt8("verdicts")));
    }

    @Override
    public void write(CompactWriter writer, ClassifyUsage classify) {
      writer.writeArrayOfInt32("positions", classify.positions());
      writer.writeArrayOfInt8("verdicts", classify.verdicts());
    }

    @Override
    public String getTypeName() {
      return "tollgrid.classify-usage";
    }

    @Override
    public Class<ClassifyUsage> getCompactClass() {
      return ClassifyUsage.class;
    }
  }

  private static final class TakenSerializer implements CompactSerializer<TakenUsage> {
    @Override
    public TakenUsage read(CompactReader reader) {
      return new TakenUsage(
          Objects.requireNonNull(reader.readString("key"), "a wire form lacks a field"),
          reader.readInt32("position"),
          LedgerCodec.decodeDeliveries(required(reader.readArrayOfInt8("delivery"))).get(0));
    }

    @Override
    public void write(CompactWriter writer, TakenUsage taken) {
      writer.writeString("key", taken.key());
      writer.writeInt32("position", taken.position());
      writer.writeArrayOfInt8("delivery", LedgerCodec.encodeDeliveries(List.of(taken.delivery())));
    }

    @Override
    public String getTypeName() {
      return "tollgrid.taken-usage";
    }

    @Override
    public Class<TakenUsage> getCompactClass() {
      return TakenUsage.class;
    }
  }
}
