package io.tollgrid.verification.faults.history;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** Reads what {@link HistoryWriter} wrote. */
public final class HistoryFile {
  private final Path path;

  /** The file at this path. */
  public HistoryFile(Path path) {
    this.path = path;
  }

  /**
   * Every operation in the file, in the order of submission.
   *
   * @param client the name the operations carry
   * @throws IllegalStateException if the file is damaged before its end, or ends an operation it
   *     never began or ended before
   */
  public List<Operation> read(String client) {
    final ByteBuffer in;
    try {
      in = ByteBuffer.wrap(Files.readAllBytes(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    final Map<Long, Operation> operations = new LinkedHashMap<>();
    while (in.remaining() >= Integer.BYTES * 2) {
      final int start = in.position();
      final int length = in.getInt();
      final int crc = in.getInt();
      if (length < 0 || length > in.remaining()) {
        break;
      }
      final byte[] payload = new byte[length];
      in.get(payload);
      if (crc != crcOf(payload)) {
        throw new IllegalStateException(path + " is damaged at byte " + start);
      }
      record(client, ByteBuffer.wrap(payload), operations);
    }
    return new ArrayList<>(operations.values());
  }

  private void record(String client, ByteBuffer in, Map<Long, Operation> operations) {
    final byte kind = in.get();
    final long number = in.getLong();
    final long atNanos = in.getLong();
    if (kind == HistoryWriter.SUBMITTED) {
      operations.put(
          number,
          new Operation(client, number, atNanos, LedgerCodec.decodeRequest(bytes(in)), null));
      return;
    }
    final Operation begun = operations.get(number);
    if (begun == null || begun.ending() != null) {
      throw new IllegalStateException(
          path + " ends operation " + number + " without having begun it, or twice");
    }
    operations.put(number, begun.ended(ending(kind, atNanos, in)));
  }

  private Operation.Ending ending(byte kind, long atNanos, ByteBuffer in) {
    return switch (kind) {
      case HistoryWriter.ANSWERED -> {
        final long version = in.getLong();
        final long ledgerTimeNanos = in.getLong();
        yield new Operation.Answered(
            atNanos, LedgerCodec.decodeOutcome(bytes(in)), version, ledgerTimeNanos);
      }
      case HistoryWriter.GAVE_UP -> {
        final byte[] code = new byte[in.getShort()];
        in.get(code);
        yield new Operation.GaveUp(
            atNanos,
            LedgerCode.valueOf(new String(code, StandardCharsets.US_ASCII)),
            in.get() == 1);
      }
      default -> throw new IllegalStateException(path + " holds a record of unknown kind " + kind);
    };
  }

  private static byte[] bytes(ByteBuffer in) {
    final byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return bytes;
  }

  private static int crcOf(byte[] payload) {
    final CRC32 crc = new CRC32();
    crc.update(payload);
    return (int) crc.getValue();
  }
}
