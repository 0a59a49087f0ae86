package io.tollgrid.verification.faults.ingest;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageVerdict;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What one writer was told, on disk: its id, then ten bytes for each answer. What a killed process
 * had not written yet it was never told, as far as anybody knows. Thread-safe.
 */
final class ToldFile implements AutoCloseable {
  /** In place of the copy: this answer got lost on its way to the writer. */
  static final int LOST = 2;

  private static final int BUFFER_BYTES = 1 << 16;

  /** Takes what is read. */
  interface Reader {
    /**
     * One answer.
     *
     * @param copy which delivery of the event, or {@link #LOST}
     */
    void answer(int event, int sequence, int copy, UsageVerdict verdict);
  }

  private final DataOutputStream out;

  private ToldFile(DataOutputStream out) {
    this.out = out;
  }

  /** Begins a file. */
  static ToldFile create(Path file, Id128 writer) {
    try {
      final ToldFile told =
          new ToldFile(
              new DataOutputStream(
                  new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)));
      told.out.writeLong(writer.high());
      told.out.writeLong(writer.low());
      told.flush();
      return told;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Notes an answer. */
  @SuppressWarnings("EnumOrdinal") // the order of the constants is stored elsewhere, too
  synchronized void write(int event, long sequence, int copy, UsageVerdict verdict) {
    try {
      out.writeInt(event);
      out.writeInt(Math.toIntExact(sequence));
      out.writeByte(copy);
      out.writeByte(verdict.ordinal());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hands everything that was noted to the operating system. */
  synchronized void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a file; the end of a killed process's may be missing. Returns its writer. */
  static Id128 read(Path file, Reader reader) {
    final UsageVerdict[] verdicts = UsageVerdict.values();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
      final Id128 writer = new Id128(in.readLong(), in.readLong());
      while (true) {
        final int event;
        final int sequence;
        final int copy;
        final UsageVerdict verdict;
        try {
          event = in.readInt();
          sequence = in.readInt();
          copy = in.readByte();
          verdict = verdicts[in.readByte()];
        } catch (EOFException e) {
          return writer;
        }
        reader.answer(event, sequence, copy, verdict);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
