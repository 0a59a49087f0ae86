package io.tollgrid.grid;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import io.tollgrid.grid.usage.UsageForms;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.policy.PolicyCodec;
import io.tollgrid.ledger.policy.Subject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The wire forms of the protocol, all Compact: members and clients configure the same set.
 *
 * <p>A ledger entry shows its numbers as fields, so that SQL over the map can select them; they are
 * written for readers only, the entry itself is read back from its canonical bytes. Effects never
 * leave the member.
 */
public final class GridSerialization {
  private static final List<CompactSerializer<?>> SERIALIZERS =
      Stream.concat(
              UsageForms.SERIALIZERS.stream(),
              Stream.of(
                  new EntrySerializer(),
                  new ProcessorSerializer(),
                  new RecallProbeSerializer(),
                  new FetchRowsSerializer(),
                  new FetchPoliciesSerializer(),
                  new FetchCredentialsSerializer(),
                  new IntroduceSubjectSerializer(),
                  new KeepDenialsSerializer()))
          .toList();

  /** The wire names of all forms: there is no other Compact object on the grid. */
  public static final Set<String> TYPE_NAMES =
      SERIALIZERS.stream()
          .map(CompactSerializer::getTypeName)
          .collect(Collectors.toUnmodifiableSet());

  private GridSerialization() {}

  /** Adds the serializers to a member's or client's configuration. */
  public static void configure(SerializationConfig config) {
    SERIALIZERS.forEach(config.getCompactSerializationConfig()::addSerializer);
  }

  private abstract static class Named<T> implements CompactSerializer<T> {
    private final Class<T> type;
    private final String name;

    Named(Class<T> type, String name) {
      this.type = type;
      this.name = name;
    }

    @Override
    public final Class<T> getCompactClass() {
      return type;
    }

    @Override
    public final String getTypeName() {
      return name;
    }
  }

  private static final class EntrySerializer extends Named<LedgerEntry> {
    EntrySerializer() {
      super(LedgerEntry.class, "tollgrid.ledger-entry");
    }

    @Override
    public void write(CompactWriter writer, LedgerEntry entry) {
      final AccountLedger ledger = entry.ledger();
      if (ledger == null) {
        throw new IllegalStateException("the check of an absent account is never kept");
      }
      final Balances books = ledger.balances();
      writer.writeInt64("ownership_fence", entry.ownershipFence());
      writeRecall(writer, entry.recall());
      writer.writeArrayOfInt8("ledger", LedgerCodec.encodeLedger(ledger));
      writer.writeInt64("version", ledger.version());
      writer.writeInt64("as_of", ledger.asOfNanos());
      writer.writeString("status", ledger.policy().status().name());
      writer.writeInt64("deposited", books.deposited());
      writer.writeInt64("overage", books.overage());
      writer.writeInt64("allowance", books.allowance());
      writer.writeInt64("top_up", books.topUp());
      writer.writeInt64("outstanding", books.outstanding());
      writer.writeInt64("billed", books.billed());
      writer.writeInt64("loss", books.loss());
      writer.writeInt64("expired", books.expired());
      writer.writeInt64("unfunded", books.unfunded());
    }

    @Override
    public LedgerEntry read(CompactReader reader) {
      return new LedgerEntry(
          LedgerCodec.decodeLedger(required(reader, "ledger")),
          reader.readInt64("ownership_fence"),
          readRecall(reader),
          List.of());
    }
  }

  private static final class ProcessorSerializer extends Named<LedgerProcessor> {
    ProcessorSerializer() {
      super(LedgerProcessor.class, "tollgrid.ledger-command");
    }

    @Override
    public void write(CompactWriter writer, LedgerProcessor processor) {
      writer.writeArrayOfInt8("requests", LedgerCodec.encodeRequests(processor.requests()));
      final Bits256 mac = processor.mac();
      writer.writeArrayOfInt8("mac", mac == null ? null : mac.toBytes());
    }

    @Override
    public LedgerProcessor read(CompactReader reader) {
      final byte[] mac = reader.readArrayOfInt8("mac");
      return new LedgerProcessor(
          LedgerCodec.decodeRequests(required(reader, "requests")),
          mac == null ? null : Bits256.of(mac));
    }
  }

  private static final class RecallProbeSerializer extends Named<RecallProbe> {
    RecallProbeSerializer() {
      super(RecallProbe.class, "tollgrid.recall-probe");
    }

    @Override
    public void write(CompactWriter writer, RecallProbe probe) {
      writer.writeInt8("form", (byte) LedgerCodec.VERSION);
    }

    @Override
    public RecallProbe read(CompactReader reader) {
      return new RecallProbe();
    }
  }

  private static final class FetchRowsSerializer extends Named<FetchRows> {
    FetchRowsSerializer() {
      super(FetchRows.class, "tollgrid.fetch-rows");
    }

    @Override
    public void write(CompactWriter writer, FetchRows fetch) {
      writer.writeInt64("account_high", fetch.account().high());
      writer.writeInt64("account_low", fetch.account().low());
      writer.writeArrayOfInt8("keys", LedgerCodec.encodeKeys(fetch.keys()));
    }

    @Override
    public FetchRows read(CompactReader reader) {
      return new FetchRows(
          new Id128(reader.readInt64("account_high"), reader.readInt64("account_low")),
          LedgerCodec.decodeKeys(required(reader, "keys")));
    }
  }

  private static final class FetchPoliciesSerializer extends Named<FetchPolicies> {
    FetchPoliciesSerializer() {
      super(FetchPolicies.class, "tollgrid.fetch-policies");
    }

    @Override
    public void write(CompactWriter writer, FetchPolicies fetch) {
      writer.writeArrayOfInt8("query", PolicyCodec.encodeQuery(fetch.query()));
    }

    @Override
    public FetchPolicies read(CompactReader reader) {
      return new FetchPolicies(PolicyCodec.decodeQuery(required(reader, "query")));
    }
  }

  private static final class FetchCredentialsSerializer extends Named<FetchCredentials> {
    FetchCredentialsSerializer() {
      super(FetchCredentials.class, "tollgrid.fetch-credentials");
    }

    @Override
    public void write(CompactWriter writer, FetchCredentials fetch) {
      writer.writeInt64("after_high", fetch.after().high());
      writer.writeInt64("after_low", fetch.after().low());
      writer.writeInt32("limit", fetch.limit());
    }

    @Override
    public FetchCredentials read(CompactReader reader) {
      return new FetchCredentials(
          new Id128(reader.readInt64("after_high"), reader.readInt64("after_low")),
          reader.readInt32("limit"));
    }
  }

  private static final class IntroduceSubjectSerializer extends Named<IntroduceSubject> {
    IntroduceSubjectSerializer() {
      super(IntroduceSubject.class, "tollgrid.introduce-subject");
    }

    @Override
    public void write(CompactWriter writer, IntroduceSubject introduce) {
      writer.writeString("name", introduce.subject().name());
    }

    @Override
    public IntroduceSubject read(CompactReader reader) {
      final String name = reader.readString("name");
      return new IntroduceSubject(Subject.of(name == null ? "" : name));
    }
  }

  private static final class KeepDenialsSerializer extends Named<KeepDenials> {
    KeepDenialsSerializer() {
      super(KeepDenials.class, "tollgrid.keep-denials");
    }

    @Override
    public void write(CompactWriter writer, KeepDenials keep) {
      writer.writeArrayOfInt8("report", LedgerCodec.encodeDenials(keep.report()));
    }

    @Override
    public KeepDenials read(CompactReader reader) {
      return new KeepDenials(LedgerCodec.decodeDenials(required(reader, "report")));
    }
  }

  private static void writeRecall(CompactWriter writer, @Nullable Recall recall) {
    writer.writeInt64("recall_units", recall == null ? 0 : recall.units());
    writer.writeInt64("recall_holder_high", recall == null ? 0 : recall.holder().high());
    writer.writeInt64("recall_holder_low", recall == null ? 0 : recall.holder().low());
    writer.writeInt64("recall_since", recall == null ? 0 : recall.sinceNanos());
    writer.writeInt64("recall_expires_at", recall == null ? 0 : recall.expiresAtNanos());
  }

  private static @Nullable Recall readRecall(CompactReader reader) {
    final long units = reader.readInt64("recall_units");
    return units == 0
        ? null
        : new Recall(
            units,
            new Id128(
                reader.readInt64("recall_holder_high"), reader.readInt64("recall_holder_low")),
            reader.readInt64("recall_since"),
            reader.readInt64("recall_expires_at"));
  }

  private static byte[] required(CompactReader reader, String field) {
    final byte[] bytes = reader.readArrayOfInt8(field);
    if (bytes == null) {
      throw new IllegalArgumentException("a wire form lacks its field " + field);
    }
    return bytes;
  }
}
