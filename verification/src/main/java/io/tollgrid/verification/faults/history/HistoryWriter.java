package io.tollgrid.verification.faults.history;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;

/**
 * Appends to one history file. Each record is handed to the operating system before the method
 * returns: it survives the death of the process, not of the machine.
 *
 * <p>Thread-safe. Every method throws {@link UncheckedIOException} if the file cannot be written,
 * for a run without its history proves nothing.
 */
public final class HistoryWriter implements AutoCloseable {
  static final byte SUBMITTED = 1;
  static final byte ANSWERED = 2;
  static final byte GAVE_UP = 3;

  private final FileChannel file;
  private long operations;

  private HistoryWriter(FileChannel file) {
    this.file = file;
  }

  /** Creates the file, which must not exist. */
  public static HistoryWriter create(Path path) {
    try {
      return new HistoryWriter(
          FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Announces a command that is about to be sent.
   *
   * @return its number in this file, from 1
   */
  public synchronized long submitted(LedgerRequest request, long atNanos) {
    final long number = operations + 1;
    append(
        SUBMITTED,
        number,
        atNanos,
        out -> {
          final byte[] bytes = LedgerCodec.encodeRequest(request);
          out.writeInt(bytes.length);
          out.write(bytes);
        });
    operations = number;
    return number;
  }

  /** Notes a definite answer. */
  public synchronized void answered(
      long number, long atNanos, Outcome outcome, long version, long ledgerTimeNanos) {
    append(
        ANSWERED,
        number,
        atNanos,
        out -> {
          out.writeLong(version);
          out.writeLong(ledgerTimeNanos);
          final byte[] bytes = LedgerCodec.encodeOutcome(outcome);
          out.writeInt(bytes.length);
          out.write(bytes);
        });
  }

  /** Notes that the client stopped asking. */
  public synchronized void gaveUp(
      long number, long atNanos, LedgerCode code, boolean mayHaveHappened) {
    append(
        GAVE_UP,
        number,
        atNanos,
        out -> {
          out.writeUTF(code.name());
          out.writeBoolean(mayHaveHappened);
        });
  }

  @Override
  public synchronized void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private void append(byte kind, long number, long atNanos, Body body) {
    try {
      final ByteArrayOutputStream payload = new ByteArrayOutputStream(256);
      final DataOutputStream out = new DataOutputStream(payload);
      out.writeByte(kind);
      out.writeLong(number);
      out.writeLong(atNanos);
      body.write(out);
      final byte[] bytes = payload.toByteArray();
      final CRC32 crc = new CRC32();
      crc.update(bytes);
      final ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES * 2 + bytes.length);
      frame.putInt(bytes.length).putInt((int) crc.getValue()).put(bytes).flip();
      while (frame.hasRemaining()) {
        final int written = file.write(frame);
        assert written > 0 : "a file takes bytes or throws";
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
