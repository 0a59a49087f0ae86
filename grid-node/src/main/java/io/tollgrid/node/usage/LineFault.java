package io.tollgrid.node.usage;

/**
 * A line that was not accepted, and is not the repetition of one that was.
 *
 * @param line its number, from 1
 * @param code a stable name: a {@link BadLine} such as {@code invalid-id}, the {@link
 *     io.tollgrid.ledger.UsageVerdict} with which the ledger rejected it, or {@value #DIFFERING}
 * @param reason why, for a person; nothing of the line's own text
 */
public record LineFault(long line, String code, String reason) {
  /** The code of a duplicate that says something else than what is recorded. */
  public static final String DIFFERING = "duplicate-differs";

  @Override
  public String toString() {
    return "line " + line + ": " + code + ": " + reason;
  }
}
