package io.tollgrid.node.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Input is unpacked to its very end, or said to be damaged: never cut short in silence. */
class UsageInputTest {
  private static final byte[] TEXT = "one\ntwo\n".getBytes(StandardCharsets.US_ASCII);

  @Test
  void plainInputIsReadAsItIs() throws IOException {
    for (final byte[] plain : new byte[][] {TEXT, {}, {0x1f}, {0x1f, 0x1f, 0x1f}}) {
      assertThat(read(plain)).isEqualTo(plain);
    }
  }

  @Test
  void everyMemberOfGzipIsRead() throws IOException {
    assertThat(read(gzip(TEXT))).isEqualTo(TEXT);
    assertThat(read(join(gzip(TEXT), gzip(new byte[0]), gzip(TEXT)))).isEqualTo(join(TEXT, TEXT));
  }

  @Test
  void damagedGzipIsAnError() throws IOException {
    final byte[] whole = gzip(TEXT);
    final byte[] flipped = whole.clone();
    flipped[whole.length - 6] ^= 1;
    final byte[] header = whole.clone();
    header[2] = 9;

    for (final byte[] damaged :
        new byte[][] {
          Arrays.copyOf(whole, whole.length - 3),
          Arrays.copyOf(whole, 5),
          flipped,
          header,
          join(whole, TEXT),
          join(whole, new byte[] {0x1f}),
        }) {
      assertThatThrownBy(() -> read(damaged)).isInstanceOf(IOException.class);
    }
  }

  private static byte[] read(byte[] bytes) throws IOException {
    return UsageInput.open(new ByteArrayInputStream(bytes)).readAllBytes();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    final ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    final ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (final byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
