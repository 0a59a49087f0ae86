package io.tollgrid.admission.session;

import org.jspecify.annotations.Nullable;

/**
 * Proves that whoever presents a secret holds a credential, by a digest of it: the secret itself is
 * kept nowhere (R44). Implementations are thread-safe, do no I/O, compare in constant time, and
 * keep no reference to the bytes they are given.
 */
@FunctionalInterface
public interface CredentialVerifier {
  /**
   * Verifies the {@code length} first bytes of {@code secret}.
   *
   * @param nowNanos the caller's time, epoch nanoseconds
   * @return the credential, or null if there is none that is good now
   */
  @Nullable Credential verify(byte[] secret, int length, long nowNanos);
}
