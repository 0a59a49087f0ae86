package io.tollgrid.admission.session;

import io.tollgrid.ledger.Id128;

/**
 * One issued credential as this process knows it. Retirement is terminal, takes effect at once, and
 * may come from any thread (R44).
 */
public final class Credential {
  private final Id128 keyId;
  private final Id128 principal;
  private final long expiresAtNanos;
  private volatile boolean retired;

  /**
   * A credential in force.
   *
   * @param keyId its id, under which its use is recorded
   * @param principal for whom it speaks
   * @param expiresAtNanos first instant at which it is no longer good, epoch nanoseconds
   */
  public Credential(final Id128 keyId, final Id128 principal, final long expiresAtNanos) {
    this.keyId = keyId;
    this.principal = principal;
    this.expiresAtNanos = expiresAtNanos;
  }

  /** Its id. */
  public Id128 keyId() {
    return keyId;
  }

  /** For whom it speaks. */
  public Id128 principal() {
    return principal;
  }

  /** Ends it for good. */
  public void retire() {
    retired = true;
  }

  /** Whether it is good at {@code nowNanos}. */
  public boolean isGoodAt(final long nowNanos) {
    return !retired && nowNanos < expiresAtNanos;
  }
}
