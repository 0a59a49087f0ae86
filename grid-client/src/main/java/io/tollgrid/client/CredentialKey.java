package io.tollgrid.client;

import io.tollgrid.ledger.Bits256;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The deployment's key under which secrets of credentials are digested: whoever has only the
 * digests cannot try secrets against them (R44).
 *
 * <p>Immutable and safe to share. The key never appears in {@link #toString}, an exception or a
 * log.
 */
public final class CredentialKey {
  /** Bytes in a key. */
  public static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] PURPOSE = "tollgrid credential".getBytes(StandardCharsets.US_ASCII);

  private final SecretKeySpec key;

  /** A key of exactly {@value #BYTES} bytes; the array is copied. */
  public CredentialKey(final byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a credential key is " + BYTES + " bytes, not " + bytes.length);
    }
    key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /** The digest of the first {@code length} bytes of a secret. */
  public Bits256 digest(final byte[] secret, final int length) {
    try {
      final Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(PURPOSE);
      mac.update(secret, 0, length);
      return Bits256.of(mac.doFinal());
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "CredentialKey";
  }
}
