package io.tollgrid.node.usage;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** Input that may be compressed. */
public final class UsageInput {
  private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};

  private UsageInput() {}

  /**
   * What {@code in} says, unpacked if it begins as gzip does (RFC 1952). Gzip may have several
   * members; one that is cut off, is damaged, or has anything else behind it cannot be read to its
   * end without an {@link IOException}.
   *
   * @return closes {@code in} when it is closed
   * @throws IOException if nothing can be read, or the gzip header is no good
   */
  public static InputStream open(InputStream in) throws IOException {
    final PushbackInputStream plain = new PushbackInputStream(in, GZIP_MAGIC.length);
    final byte[] first = plain.readNBytes(GZIP_MAGIC.length);
    plain.unread(first);
    return Arrays.equals(first, GZIP_MAGIC)
        ? GzipCompressorInputStream.builder()
            .setInputStream(plain)
            .setDecompressConcatenated(true)
            .get()
        : plain;
  }
}
