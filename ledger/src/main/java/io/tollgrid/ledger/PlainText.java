package io.tollgrid.ledger;

/**
 * Text that every place it travels to can hold: logs, journals, databases.
 *
 * <p>PostgreSQL takes no zero character, UTF-8 carries no half of a surrogate pair, and a line
 * break in a name forges a log line. One such name would make every write that carries it fail, so
 * it is refused where it enters.
 */
public final class PlainText {
  private PlainText() {}

  /** Whether {@code text} has no control character and no unpaired surrogate. */
  public static boolean isPlain(String text) {
    return text.codePoints().allMatch(PlainText::isPlain);
  }

  /** Whether {@code codePoint} is neither a control character nor half of a surrogate pair. */
  public static boolean isPlain(int codePoint) {
    return !Character.isISOControl(codePoint)
        && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
  }
}
