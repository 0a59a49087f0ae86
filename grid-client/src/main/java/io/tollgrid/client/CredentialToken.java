package io.tollgrid.client;

import io.tollgrid.ledger.Id128;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What the holder of a credential presents: {@code tg_}, the id of the key in 32 hex digits, {@code
 * _}, and 256 random bits in base64url. The id says which digest to compare with; all of it is
 * digested.
 */
public final class CredentialToken {
  /** Random bytes in a token. */
  public static final int RANDOM_BYTES = 32;

  private static final String MARK = "tg_";
  private static final int ID_AT = MARK.length();
  private static final int RANDOM_AT = ID_AT + Id128.HEX_DIGITS + 1;
  private static final int LENGTH = RANDOM_AT + 43;

  private CredentialToken() {}

  /** The token of a key. */
  public static byte[] of(final Id128 keyId, final byte[] random) {
    if (random.length != RANDOM_BYTES) {
      throw new IllegalArgumentException(
          "a token has " + RANDOM_BYTES + " random bytes, not " + random.length);
    }
    return (MARK
            + keyId.toHex()
            + "_"
            + Base64.getUrlEncoder().withoutPadding().encodeToString(random))
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The id in the first {@code length} bytes of what was presented, or null if it is no token. */
  static @Nullable Id128 keyIdIn(final byte[] presented, final int length) {
    if (length != LENGTH || presented[RANDOM_AT - 1] != '_') {
      return null;
    }
    for (int i = 0; i < ID_AT; i++) {
      if (presented[i] != MARK.charAt(i)) {
        return null;
      }
    }
    long high = 0;
    long low = 0;
    for (int i = ID_AT; i < RANDOM_AT - 1; i++) {
      final int digit = hexDigit(presented[i]);
      if (digit < 0) {
        return null;
      }
      high = high << 4 | low >>> 60;
      low = low << 4 | digit;
    }
    return new Id128(high, low);
  }

  /** One spelling per id (R43): no capitals. */
  private static int hexDigit(final byte digit) {
    if (digit >= '0' && digit <= '9') {
      return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
  }
}
