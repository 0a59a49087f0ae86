package io.tollgrid.ledger;

/**
 * Text that is no id: it is malformed, which says nothing about whether what it meant exists (R43).
 */
public final class InvalidIdException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARS = 64;

  InvalidIdException(String text) {
    super(
        "an id is 32 lowercase hexadecimal digits, not \""
            + (text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…")
            + "\"");
  }
}
