package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.PlainText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Somebody who is metered, by name; the principal is the hash of it (R43). Immutable: made once and
 * kept, since making one hashes.
 */
public final class Subject {
  /** The longest name, in characters. */
  public static final int MAX_NAME_CHARS = 256;

  private final String name;
  private final Id128 principal;

  private Subject(final String name, final Id128 principal) {
    this.name = name;
    this.principal = principal;
  }

  /**
   * The subject of this name: 1 to {@value #MAX_NAME_CHARS} characters, none of them a control
   * character. Names that differ in any character are different subjects.
   */
  public static Subject of(final String name) {
    if (name.isEmpty() || name.length() > MAX_NAME_CHARS || !PlainText.isPlain(name)) {
      throw new IllegalArgumentException(
          "a subject's name has 1 to "
              + MAX_NAME_CHARS
              + " characters, none of them a control character, not "
              + name.length());
    }
    try {
      final ByteBuffer hash =
          ByteBuffer.wrap(
              MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
      return new Subject(name, new Id128(hash.getLong(), hash.getLong()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** The first 128 bits of the SHA-256 of its name in UTF-8. */
  public Id128 principal() {
    return principal;
  }

  @Override
  public boolean equals(final Object other) {
    return other instanceof Subject subject && subject.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return "subject " + name;
  }
}
