package io.tollgrid.ledger.policy;

/**
 * What came of introducing a subject to the authority.
 *
 * @param result what
 * @param reason of a refusal, the key first; empty otherwise
 */
public record Introduction(Result result, String reason) {
  /** The order travels between instances and members and may only grow. */
  public enum Result {
    /** A snapshot is in force for it. */
    PUBLISHED,
    /** No assignment covers it: its requests are denied, and it is listed (R50). */
    NO_PLAN,
    /** Its snapshot must not come into force, or an operator revoked it: requests are denied. */
    REFUSED
  }

  /** A snapshot is in force. */
  public static final Introduction PUBLISHED = new Introduction(Result.PUBLISHED, "");

  /** No assignment covers it. */
  public static final Introduction NO_PLAN = new Introduction(Result.NO_PLAN, "");

  /** Refuses a reason where nothing was refused. */
  public Introduction {
    if (result != Result.REFUSED && !reason.isEmpty()) {
      throw new IllegalArgumentException(
          "an introduction that ended as " + result + " has no reason, not \"" + reason + "\"");
    }
  }

  /** A refusal. */
  public static Introduction refused(final String reason) {
    return new Introduction(Result.REFUSED, reason);
  }
}
