package io.tollgrid.ledger;

/**
 * Text that every place it travels to can hold: logs, journals, databases.
 *
 * <p>PostgreSQL takes no zero character, UTF-8 carries no half of a surrogate pair, and a line
 * break in a name forges a log line. One such name would make every write that carries it fail, so
 * it is refused where it enters.
 */
final class PlainText {
  private PlainText() {}

  /** Whether {@code text} has no control character and no unpaired surrogate. */
  static boolean isPlain(String text) {
    return text.codePoints()
        .noneMatch(
            c ->
                Character.isISOControl(c)
                    || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }
}
