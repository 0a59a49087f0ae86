package io.tollgrid.node.usage;

import io.tollgrid.ledger.Id128;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The request id of an event that its source names in its own way (R20): the same event has the
 * same id wherever and whenever it is loaded.
 *
 * <p>It is a UUID version 7. Its time is the event's, cut to milliseconds; its 74 other bits are
 * the first ones of a SHA-256 digest, of which the four and two bits in the places of version and
 * variant are left out. Digested are the ASCII text {@code tollgrid-foreign-request-1}, then the
 * source and then the id, each as its length in bytes (32 bits, big-endian) and its UTF-8. The time
 * is not digested again, so that a time of another precision than milliseconds names the same
 * event.
 *
 * <p>The form is stored for as long as ids are remembered, so it never changes: another one would
 * bill what is loaded again a second time.
 */
public final class ForeignRequestId {
  private static final byte[] DOMAIN =
      "tollgrid-foreign-request-1".getBytes(StandardCharsets.US_ASCII);

  private ForeignRequestId() {}

  /**
   * The request id of an event.
   *
   * @param source who named it, such as the URI of a system
   * @param id its name there
   * @param unixMillis when it happened, 0 to 2^48 − 1
   */
  public static Id128 of(String source, String id, long unixMillis) {
    final MessageDigest digest = sha256();
    digest.update(DOMAIN);
    update(digest, source);
    update(digest, id);
    final ByteBuffer bits = ByteBuffer.wrap(digest.digest());
    return Id128.timeOrdered(unixMillis, bits.getShort(), bits.getLong());
  }

  private static void update(MessageDigest digest, String text) {
    final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
