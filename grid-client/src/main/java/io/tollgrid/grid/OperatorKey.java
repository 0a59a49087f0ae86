package io.tollgrid.grid;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.LedgerRequest;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The control plane's key: signs operator commands (HMAC-SHA256 over their canonical bytes) and
 * verifies them (R45).
 *
 * <p>Immutable and safe to share. The key never appears in {@link #toString}, an exception or a
 * log.
 */
public final class OperatorKey implements CommandVerifier {
  /** Bytes in a key. */
  public static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /** A key of exactly {@value #BYTES} bytes; the array is copied. */
  public OperatorKey(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "an operator key is " + BYTES + " bytes, not " + bytes.length);
    }
    key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /** The code that authenticates a request; rows attached later are not part of it. */
  public Bits256 sign(LedgerRequest request) {
    return Bits256.of(mac().doFinal(LedgerCodec.encodeForAuthentication(request)));
  }

  @Override
  public boolean verify(LedgerRequest request, @Nullable Bits256 mac) {
    return mac != null && MessageDigest.isEqual(sign(request).toBytes(), mac.toBytes());
  }

  @Override
  public String toString() {
    return "OperatorKey";
  }

  private Mac mac() {
    try {
      final Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
