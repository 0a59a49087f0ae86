package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;

/**
 * A credential in force, as it is stored: by a digest of its secret, and nothing that could be
 * presented (R44).
 *
 * @param keyId its id, under which its use is recorded
 * @param digest of the secret, under the deployment's credential key
 * @param binding for whom it speaks
 * @param expiresAtNanos first instant at which it is no longer good, epoch nanoseconds
 */
public record CredentialRecord(
    Id128 keyId, Bits256 digest, CredentialBinding binding, long expiresAtNanos) {
  /** Names the key and for whom it is, and keeps the digest to itself. */
  @Override
  public String toString() {
    return "credential " + keyId + " for " + binding;
  }
}
