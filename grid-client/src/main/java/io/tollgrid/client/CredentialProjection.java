package io.tollgrid.client;

import io.tollgrid.admission.session.Credential;
import io.tollgrid.admission.session.CredentialVerifier;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialRecord;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All credentials in force, as they were at one moment, and proof of secrets against them (R44).
 *
 * <p>Replaced as a whole, never merged; good for a bounded time from when its reading began. {@link
 * #verify} is for any thread, everything else for the instance's.
 */
final class CredentialProjection implements CredentialVerifier {
  private record Entry(Bits256 digest, Credential credential) {}

  /**
   * @param entries by key id; never changed once it is here
   * @param goodUntilNanos first instant at which nothing can be proved by it any more
   */
  private record Whole(Map<Id128, Entry> entries, long goodUntilNanos) {}

  /** Compared with when there is no such key, so that its absence takes as long as a mismatch. */
  private static final Bits256 NOBODYS = Bits256.ZERO;

  private final CredentialKey key;
  private volatile Whole whole = new Whole(Map.of(), Long.MIN_VALUE);

  /** Retired by word; to stay so although an answer on its way still lists them. */
  private final Map<Id128, Long> retiredAtNanos = new HashMap<>();

  CredentialProjection(final CredentialKey key) {
    this.key = key;
  }

  @Override
  public @Nullable Credential verify(final byte[] secret, final int length, final long nowNanos) {
    final Whole now = whole;
    final Id128 keyId = CredentialToken.keyIdIn(secret, length);
    final Entry entry = keyId == null ? null : now.entries().get(keyId);
    final Bits256 expected = entry == null ? NOBODYS : entry.digest();
    final boolean same =
        MessageDigest.isEqual(expected.toBytes(), key.digest(secret, length).toBytes());
    return same && entry != null && nowNanos < now.goodUntilNanos() ? entry.credential() : null;
  }

  /**
   * Puts a newer set in the place of this one. A credential that is in both stays the object it is,
   * so that sessions keep their proof; one that is not ends.
   *
   * @param readBeganNanos when its reading began
   * @return whether it was taken: a set with two records of one key, or of one digest, contradicts
   *     itself and is refused
   */
  boolean replace(
      final Collection<CredentialRecord> records,
      final long readBeganNanos,
      final long goodUntilNanos) {
    final Map<Id128, Entry> before = whole.entries();
    final Map<Id128, Entry> next = new HashMap<>(2 * records.size());
    final Set<Bits256> digests = new HashSet<>(2 * records.size());
    for (final CredentialRecord record : records) {
      if (!digests.add(record.digest())
          || next.put(record.keyId(), entry(record, before.get(record.keyId()))) != null) {
        return false;
      }
    }
    // What began after the word was sent tells the truth by itself.
    retiredAtNanos.values().removeIf(at -> at < readBeganNanos);
    retiredAtNanos
        .keySet()
        .forEach(
            keyId -> {
              final Entry listed = next.get(keyId);
              if (listed != null) {
                listed.credential().retire();
              }
            });
    next.values().forEach(entry -> entry.credential().knownUntil(goodUntilNanos));
    whole = new Whole(next, goodUntilNanos);
    before.forEach(
        (keyId, entry) -> {
          final Entry still = next.get(keyId);
          if (still == null || !still.credential().equals(entry.credential())) {
            entry.credential().retire();
          }
        });
    return true;
  }

  private static Entry entry(final CredentialRecord record, final @Nullable Entry before) {
    if (before != null
        && before.digest().equals(record.digest())
        && before.credential().binding().equals(record.binding())
        && before.credential().expiresAtNanos() == record.expiresAtNanos()) {
      return before;
    }
    return new Entry(
        record.digest(), new Credential(record.keyId(), record.binding(), record.expiresAtNanos()));
  }

  /** Word has come that a credential was taken out of force. */
  void retired(final Id128 keyId, final long nowNanos) {
    retiredAtNanos.put(keyId, nowNanos);
    final Entry entry = whole.entries().get(keyId);
    if (entry != null) {
      entry.credential().retire();
    }
  }

  long goodUntilNanos() {
    return whole.goodUntilNanos();
  }
}
