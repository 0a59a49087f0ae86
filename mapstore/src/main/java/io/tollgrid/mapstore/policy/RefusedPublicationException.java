package io.tollgrid.mapstore.policy;

/** Something must not be published; nothing changed. The message names the key that is wrong. */
public final class RefusedPublicationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** A leg names an account that does not exist. */
    UNKNOWN_ACCOUNT,
    /** A leg names an account that is closed for good. */
    ACCOUNT_CLOSED,
    /** A plan is named that does not exist. */
    UNKNOWN_PLAN,
    /** Nothing was ever published for the principal. */
    UNKNOWN_PRINCIPAL,
    /** Nothing was ever assigned to the prefix. */
    UNKNOWN_ASSIGNMENT,
    /** There is no such credential. */
    UNKNOWN_CREDENTIAL,
    /** A credential of this id, or of this secret, was issued before. */
    DUPLICATE_CREDENTIAL,
    /** It contradicts its plan or its accounts (R42). */
    UNSAFE
  }

  private final Reason reason;

  RefusedPublicationException(final Reason reason, final String message) {
    super(message);
    this.reason = reason;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
