package io.tollgrid.admission.session;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.Subject;

/**
 * One issued credential as this process knows it. Retirement is terminal, takes effect at once, and
 * may come from any thread (R44).
 */
public final class Credential {
  private final Id128 keyId;
  private final CredentialBinding binding;
  private final long expiresAtNanos;
  private volatile boolean retired;
  private volatile long knownUntilNanos = Long.MAX_VALUE;

  /**
   * A credential in force.
   *
   * @param keyId its id, under which its use is recorded
   * @param binding for whom it speaks
   * @param expiresAtNanos first instant at which it is no longer good, epoch nanoseconds
   */
  public Credential(final Id128 keyId, final CredentialBinding binding, final long expiresAtNanos) {
    this.keyId = keyId;
    this.binding = binding;
    this.expiresAtNanos = expiresAtNanos;
  }

  /** One that speaks for a single principal. */
  public Credential(final Id128 keyId, final Id128 principal, final long expiresAtNanos) {
    this(keyId, new CredentialBinding.OneSubject(principal), expiresAtNanos);
  }

  /** Its id. */
  public Id128 keyId() {
    return keyId;
  }

  /** For whom it speaks. */
  public CredentialBinding binding() {
    return binding;
  }

  /** First instant at which it is no longer good, epoch nanoseconds. */
  public long expiresAtNanos() {
    return expiresAtNanos;
  }

  /**
   * The one it speaks for, {@link Id128#ZERO} if it speaks for many: those are named one by one.
   */
  public Id128 principal() {
    return binding instanceof CredentialBinding.OneSubject one ? one.principal() : Id128.ZERO;
  }

  /** Whether it speaks for this subject; allocates nothing. */
  public boolean speaksFor(final Subject subject) {
    if (binding instanceof CredentialBinding.OneSubject one) {
      return one.principal().equals(subject.principal());
    }
    return binding instanceof CredentialBinding.SubjectsUnder under
        && subject.isUnder(under.prefix());
  }

  /**
   * Says until when it is known to be in force, epoch nanoseconds: from then on it is not good
   * unless that is said anew, however it was proved before.
   */
  public void knownUntil(final long untilNanos) {
    knownUntilNanos = untilNanos;
  }

  /** Ends it for good. */
  public void retire() {
    retired = true;
  }

  /** Whether it is good at {@code nowNanos}. */
  public boolean isGoodAt(final long nowNanos) {
    return !retired && nowNanos < expiresAtNanos && nowNanos < knownUntilNanos;
  }
}
