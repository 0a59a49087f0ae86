package io.tollgrid.ledger;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The one canonical form of requests, outcomes, rows and ledgers as bytes: what the journal stores,
 * the grid ships and a message authentication code covers.
 *
 * <p>Each form begins with its version, {@value #VERSION}. A reader refuses a version it does not
 * know, and every reader is total (see {@link MalformedBytesException}). Equal values have equal
 * bytes, and bytes that read as a value are the ones it is written as. Stateless and safe to share.
 */
public final class LedgerCodec {
  /** The version this code writes. */
  public static final int VERSION = 1;

  /** About what a ledger takes, and each lease in it. */
  private static final int LEDGER_BYTES = 320;

  private static final int LEASE_BYTES = 208;

  /** About what one event takes up. */
  private static final int DELIVERY_BYTES = 208;

  private LedgerCodec() {}

  /** All of a request, attached rows included: enough to replay the decision. */
  public static byte[] encodeRequest(LedgerRequest request) {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION);
    writeRequest(out, request);
    writeRows(out, request.rows());
    return out.toBytes();
  }

  /** The request as its sender made it, without attached rows: what authentication covers (R45). */
  public static byte[] encodeForAuthentication(LedgerRequest request) {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION);
    writeRequest(out, request);
    return out.toBytes();
  }

  /** Reads {@link #encodeRequest}. */
  public static LedgerRequest decodeRequest(byte[] bytes) {
    return decode(bytes, LedgerCodec::readRequest);
  }

  /** Requests, in the order given. */
  public static byte[] encodeRequests(List<LedgerRequest> requests) {
    return new CanonicalWriter()
        .u8(VERSION)
        .list(
            requests,
            (out, request) -> {
              writeRequest(out, request);
              writeRows(out, request.rows());
            })
        .toBytes();
  }

  /** Reads {@link #encodeRequests}. */
  public static List<LedgerRequest> decodeRequests(byte[] bytes) {
    return decode(bytes, in -> in.list(LedgerCodec::readRequest));
  }

  /** An outcome. */
  public static byte[] encodeOutcome(Outcome outcome) {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION);
    OutcomeCodec.write(out, outcome);
    return out.toBytes();
  }

  /** Reads {@link #encodeOutcome}. */
  public static Outcome decodeOutcome(byte[] bytes) {
    return decode(bytes, OutcomeCodec::read);
  }

  /** Reads {@link #encodeOutcome} where only something that took effect can be stored. */
  public static Outcome.Applied decodeApplied(byte[] bytes) {
    return OutcomeCodec.applied(decodeOutcome(bytes));
  }

  /** Fetched rows; an empty value says the row does not exist. */
  public static byte[] encodeRows(Map<RowKey, Optional<StoredRow>> rows) {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION);
    writeRows(out, rows);
    return out.toBytes();
  }

  /** Reads {@link #encodeRows}. */
  public static Map<RowKey, Optional<StoredRow>> decodeRows(byte[] bytes) {
    return decode(bytes, LedgerCodec::readRows);
  }

  /** Row keys, in the order given. */
  public static byte[] encodeKeys(List<RowKey> keys) {
    return new CanonicalWriter().u8(VERSION).list(keys, OutcomeCodec::key).toBytes();
  }

  /** Reads {@link #encodeKeys}. */
  public static List<RowKey> decodeKeys(byte[] bytes) {
    return decode(bytes, in -> in.list(OutcomeCodec::key));
  }

  /** Denials on their way to where they are kept. */
  public static byte[] encodeDenials(DenialReport report) {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION);
    out.id(report.writer()).i64(report.number());
    out.list(
        report.minutes(),
        (w, minute) ->
            w.id(minute.account())
                .id(minute.principal())
                .text(minute.reason())
                .i64(minute.minute())
                .i64(minute.denials())
                .i64(minute.lastQuoteUnits()));
    return out.toBytes();
  }

  /** Reads {@link #encodeDenials}. */
  public static DenialReport decodeDenials(byte[] bytes) {
    return decode(
        bytes,
        in ->
            new DenialReport(
                in.id(),
                in.i64(),
                in.list(
                    r -> new DenialMinute(r.id(), r.id(), r.text(), r.i64(), r.i64(), r.i64()))));
  }

  /** Usage on its way to its ledgers. */
  public static byte[] encodeDeliveries(List<UsageDelivery> deliveries) {
    final CanonicalWriter out = new CanonicalWriter(deliveries.size() * DELIVERY_BYTES).u8(VERSION);
    out.list(
        deliveries,
        (w, delivery) -> {
          w.id(delivery.account());
          CommandCodec.event(w, delivery.event());
        });
    return out.toBytes();
  }

  /** Reads {@link #encodeDeliveries}. */
  public static List<UsageDelivery> decodeDeliveries(byte[] bytes) {
    return decode(bytes, in -> in.list(r -> new UsageDelivery(r.id(), CommandCodec.event(r))));
  }

  /** A whole ledger, settled leases included. */
  public static byte[] encodeLedger(AccountLedger ledger) {
    final int leases = ledger.active().size() + ledger.losses().size() + ledger.settled().size();
    final CanonicalWriter out =
        new CanonicalWriter(LEDGER_BYTES + leases * LEASE_BYTES).u8(VERSION);
    LedgerStateCodec.write(out, ledger);
    return out.toBytes();
  }

  /**
   * Reads {@link #encodeLedger}.
   *
   * @throws CorruptLedgerException if the numbers contradict each other
   */
  public static AccountLedger decodeLedger(byte[] bytes) {
    return decode(bytes, LedgerStateCodec::read);
  }

  /**
   * Identity of what a request asks of its account: the leading 128 bits of the SHA-256 of account
   * and command (R16).
   */
  public static Id128 bodyHash(LedgerRequest request) {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION).id(request.account());
    CommandCodec.write(out, request.command());
    final Bits256 digest = Bits256.of(sha256().digest(out.toBytes()));
    return new Id128(digest.a(), digest.b());
  }

  private static void writeRequest(CanonicalWriter out, LedgerRequest request) {
    out.id(request.account()).text(request.actor()).i64(request.notAfterNanos());
    CommandCodec.write(out, request.command());
  }

  private static LedgerRequest readRequest(CanonicalReader in) {
    return new LedgerRequest(in.id(), in.text(), in.i64(), CommandCodec.read(in), readRows(in));
  }

  private static void writeRows(CanonicalWriter out, Map<RowKey, Optional<StoredRow>> rows) {
    out.list(
        OutcomeCodec.inOrder(rows.keySet()),
        (w, key) -> {
          OutcomeCodec.key(w, key);
          w.optional(rows.getOrDefault(key, Optional.empty()).orElse(null), OutcomeCodec::row);
        });
  }

  private static Map<RowKey, Optional<StoredRow>> readRows(CanonicalReader in) {
    final List<Map.Entry<RowKey, Optional<StoredRow>>> entries =
        in.list(
            r ->
                Map.entry(OutcomeCodec.key(r), Optional.ofNullable(r.optional(OutcomeCodec::row))));
    OutcomeCodec.requireInOrder(entries.stream().map(Map.Entry::getKey).toList());
    final Map<RowKey, Optional<StoredRow>> rows = new LinkedHashMap<>();
    entries.forEach(entry -> rows.put(entry.getKey(), entry.getValue()));
    return rows;
  }

  private static <T> T decode(byte[] bytes, Function<CanonicalReader, T> read) {
    return CanonicalReader.read(
        bytes,
        in -> {
          final int version = in.u8();
          if (version != VERSION) {
            throw new MalformedBytesException(
                "form version " + version + " is not one of those known here: " + VERSION);
          }
          return read.apply(in);
        });
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
