package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the processor says about one attempt; it reaches the client only if the store let it.
 *
 * <p>It crosses the grid as plain bytes, not as a Compact object: a client that meets a Compact
 * schema for the first time in a reply fetches it on the thread that reads replies, and waits for
 * ever (seen on Hazelcast 5.3.8).
 *
 * @param code why there is no outcome, or null
 * @param outcome the outcome, or null if {@code code} says why there is none
 * @param version the ledger's version afterwards
 * @param ledgerTimeNanos when it was decided
 * @param recall who needs units held elsewhere, or null
 */
record LedgerReply(
    @Nullable LedgerCode code,
    @Nullable Outcome outcome,
    long version,
    long ledgerTimeNanos,
    @Nullable Recall recall) {
  private static final byte FORM = 2;
  private static final int HAS_CODE = 1;
  private static final int HAS_OUTCOME = 2;
  private static final int HAS_RECALL = 4;
  private static final int MAX_BYTES_BEFORE_OUTCOME = 128;

  static LedgerReply of(LedgerCode code) {
    return new LedgerReply(code, null, 0, 0, null);
  }

  static LedgerReply of(@Nullable Recall recall) {
    return new LedgerReply(null, null, 0, 0, recall);
  }

  byte[] toBytes() {
    final byte[] answer = outcome == null ? new byte[0] : LedgerCodec.encodeOutcome(outcome);
    final ByteBuffer out = ByteBuffer.allocate(MAX_BYTES_BEFORE_OUTCOME + answer.length);
    out.put(FORM);
    out.put(
        (byte)
            ((code == null ? 0 : HAS_CODE)
                | (outcome == null ? 0 : HAS_OUTCOME)
                | (recall == null ? 0 : HAS_RECALL)));
    out.putLong(version).putLong(ledgerTimeNanos);
    if (code != null) {
      final byte[] name = code.name().getBytes(StandardCharsets.US_ASCII);
      out.put((byte) name.length).put(name);
    }
    if (recall != null) {
      out.putLong(recall.units()).putLong(recall.holder().high()).putLong(recall.holder().low());
      out.putLong(recall.sinceNanos()).putLong(recall.expiresAtNanos());
    }
    out.put(answer);
    final byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  /** The replies to a chain, oldest first. */
  static byte[] toBytes(List<LedgerReply> replies) {
    final List<byte[]> forms = replies.stream().map(LedgerReply::toBytes).toList();
    final int length = forms.stream().mapToInt(form -> Integer.BYTES + form.length).sum();
    final ByteBuffer out = ByteBuffer.allocate(length);
    forms.forEach(form -> out.putInt(form.length).put(form));
    return out.array();
  }

  /** Reads {@link #toBytes(List)}. */
  static List<LedgerReply> allFromBytes(byte[] bytes) {
    final ByteBuffer in = ByteBuffer.wrap(bytes);
    final List<LedgerReply> replies = new ArrayList<>();
    while (in.hasRemaining()) {
      final byte[] form = new byte[in.getInt()];
      in.get(form);
      replies.add(fromBytes(form));
    }
    if (replies.isEmpty()) {
      throw new IllegalArgumentException("an attempt was answered with no reply");
    }
    return replies;
  }

  /** Reads {@link #toBytes}; refuses a form it does not know. */
  static LedgerReply fromBytes(byte[] bytes) {
    final ByteBuffer in = ByteBuffer.wrap(bytes);
    final byte form = in.get();
    if (form != FORM) {
      throw new IllegalArgumentException("a reply of form " + form + "; this client knows " + FORM);
    }
    final int has = in.get();
    final long version = in.getLong();
    final long ledgerTimeNanos = in.getLong();
    LedgerCode code = null;
    if ((has & HAS_CODE) != 0) {
      final byte[] name = new byte[in.get()];
      in.get(name);
      code = LedgerCode.valueOf(new String(name, StandardCharsets.US_ASCII));
    }
    final Recall recall =
        (has & HAS_RECALL) == 0
            ? null
            : new Recall(
                in.getLong(), new Id128(in.getLong(), in.getLong()), in.getLong(), in.getLong());
    final byte[] answer = new byte[in.remaining()];
    in.get(answer);
    return new LedgerReply(
        code,
        (has & HAS_OUTCOME) == 0 ? null : LedgerCodec.decodeOutcome(answer),
        version,
        ledgerTimeNanos,
        recall);
  }
}
