package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.PlainText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

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

  /** Whether a name can begin so: up to {@value #MAX_NAME_CHARS} characters, maybe none. */
  static boolean isPrefix(final String prefix) {
    return prefix.length() <= MAX_NAME_CHARS && PlainText.isPlain(prefix);
  }

  /** Whether its name begins with {@code prefix}, character for character; allocates nothing. */
  public boolean isUnder(final String prefix) {
    return name.startsWith(prefix);
  }

  /** Every prefix that it is under, the longest first: its whole name, and the empty one last. */
  public List<String> prefixes() {
    final List<String> prefixes = new ArrayList<>();
    for (int end = name.length(); end > 0; end = name.offsetByCodePoints(end, -1)) {
      prefixes.add(name.substring(0, end));
    }
    prefixes.add("");
    return prefixes;
  }

  /** Its name: personal data, which belongs in no log. */
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

  /** Says the principal, and keeps the name to itself. */
  @Override
  public String toString() {
    return "subject " + principal;
  }
}
