package io.tollgrid.ledger;

/**
 * The one, final classification of a usage event (R20). The order of the constants is stored;
 * append only.
 */
public enum UsageVerdict {
  /** Billed against an active lease. */
  LEASED(Kind.ACCEPTED),
  /** Billed against provisional loss: it came after its lease had ended (R12). */
  STRAGGLER(Kind.ACCEPTED),
  /** Billed beyond the allocation (R4). */
  OVERAGE(Kind.ACCEPTED),
  /** Recorded; nothing paid for it (R9). */
  UNFUNDED(Kind.ACCEPTED),
  /** The part was recorded before, from another delivery. */
  DUPLICATE(Kind.DUPLICATE),
  /** The lease is not this account's, or its fence is another. An accounting-integrity fault. */
  NO_SUCH_LEASE(Kind.REJECTED),
  /** More than the lease still holds. An accounting-integrity fault. */
  BEYOND_LEASE(Kind.REJECTED),
  /** More than the loss still to be claimed. An accounting-integrity fault. */
  BEYOND_LOSS(Kind.REJECTED),
  /** Overage on an account that was never elastic. An accounting-integrity fault. */
  OVERAGE_FORBIDDEN(Kind.REJECTED),
  /** The request id is older than the horizon within which ids are remembered. */
  REQUEST_ID_TOO_OLD(Kind.REJECTED),
  /** The request id is not time-ordered, or lies in the future. */
  REQUEST_ID_INVALID(Kind.REJECTED),
  /** The units would overflow the account's books. */
  USAGE_OVERFLOW(Kind.REJECTED),
  /** There is no such account. */
  UNKNOWN_ACCOUNT(Kind.REJECTED);

  /** The three classes of R20. */
  public enum Kind {
    /** Moves the ledger. */
    ACCEPTED,
    /** Changes nothing. */
    DUPLICATE,
    /** Changes nothing; the event is kept with its reason. */
    REJECTED
  }

  private final Kind kind;

  UsageVerdict(Kind kind) {
    this.kind = kind;
  }

  /**
   * Whether it says that the books of the instance and of the ledger disagree: an instance that
   * keeps within its leases is never told so, whatever happens around it.
   */
  public boolean isIntegrityFault() {
    return switch (this) {
      case NO_SUCH_LEASE, BEYOND_LEASE, BEYOND_LOSS, OVERAGE_FORBIDDEN -> true;
      default -> false;
    };
  }

  /** Which of the three classes it is. */
  public Kind kind() {
    return kind;
  }
}
