package io.tollgrid.admission.session;

import io.tollgrid.ledger.Id128;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One connection's credential, verified once and then known by its bytes.
 *
 * <p>Presenting the same secret again skips the verification and nothing else: the credential must
 * still be good. Presenting another, or none, clears the proof before anything is verified;
 * failures and expired proofs are not remembered (R44). In steady state it allocates nothing (R27).
 *
 * <p>Not safe for use by two threads at once. Closing wipes the secret.
 */
public final class Session implements AutoCloseable {
  /** The longest secret a session takes, in bytes. */
  public static final int MAX_SECRET_BYTES = 512;

  private final CredentialVerifier verifier;
  private final byte[] secret = new byte[MAX_SECRET_BYTES];
  private int secretLength;
  private @Nullable Credential proof;
  private boolean closed;

  /** A session in which nothing is proved. */
  public Session(final CredentialVerifier verifier) {
    this.verifier = verifier;
  }

  /**
   * Proves who is there.
   *
   * @param presented holds the secret in its first {@code length} bytes; not kept
   * @param length 0 for no secret at all
   * @param nowNanos the caller's time, epoch nanoseconds
   * @return whether a credential is proved now
   */
  public boolean authenticate(final byte[] presented, final int length, final long nowNanos) {
    if (closed) {
      throw new IllegalStateException("authenticate() after close(): open a new session");
    }
    if (length < 0 || length > presented.length) {
      throw new IllegalArgumentException(
          "a secret of " + length + " bytes in an array of " + presented.length);
    }
    final Credential known = proof;
    if (known != null && known.isGoodAt(nowNanos) && isSame(presented, length)) {
      return true;
    }
    clear();
    if (length == 0 || length > MAX_SECRET_BYTES) {
      return false;
    }
    final Credential verified = verifier.verify(presented, length, nowNanos);
    if (verified == null || !verified.isGoodAt(nowNanos)) {
      return false;
    }
    System.arraycopy(presented, 0, secret, 0, length);
    secretLength = length;
    proof = verified;
    return true;
  }

  /** The credential that is proved and good at {@code nowNanos}, or null. */
  public @Nullable Credential credential(final long nowNanos) {
    final Credential known = proof;
    return known != null && known.isGoodAt(nowNanos) ? known : null;
  }

  /** For whom the proved credential speaks, {@link Id128#ZERO} if nothing is proved. */
  public Id128 principal() {
    final Credential known = proof;
    return known == null ? Id128.ZERO : known.principal();
  }

  /** Forgets and wipes everything. */
  @Override
  public void close() {
    clear();
    closed = true;
  }

  /** In time that depends on neither secret: every byte either could have is looked at. */
  private boolean isSame(final byte[] presented, final int length) {
    int difference = length ^ secretLength;
    for (int i = 0; i < MAX_SECRET_BYTES; i++) {
      final byte other = i < length ? presented[i] : 0;
      difference |= other ^ secret[i];
    }
    return difference == 0;
  }

  private void clear() {
    proof = null;
    Arrays.fill(secret, (byte) 0);
    secretLength = 0;
  }
}
