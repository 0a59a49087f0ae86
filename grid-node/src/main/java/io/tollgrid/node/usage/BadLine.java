package io.tollgrid.node.usage;

import java.util.Locale;

/** Why a line is no usage event. The names are a stable contract. */
public enum BadLine {
  /** Nothing before the line's end. */
  EMPTY_LINE,
  /** More than {@value UsageLines#MAX_LINE_BYTES} bytes. */
  LINE_TOO_LONG,
  /** Bytes that are no UTF-8. */
  NOT_UTF_8,
  /** Text that is not one JSON object, or has more behind it. */
  NOT_JSON,
  /** A field that no event has. */
  UNKNOWN_FIELD,
  /** A field, or a meter, that is there twice. */
  DUPLICATE_FIELD,
  /** A field without which there is no event. */
  MISSING_FIELD,
  /** {@code request} together with {@code source} or {@code id}. */
  CONFLICTING_FIELDS,
  /** A value of another JSON type, or a number that is not written as a whole number. */
  WRONG_TYPE,
  /** A number, text or list beyond its bounds. */
  OUT_OF_RANGE,
  /** A word that is none of those the field may have. */
  UNKNOWN_VALUE,
  /** An id in any but its one spelling, or one that cannot name what it should (R43). */
  INVALID_ID,
  /** A time that is no RFC 3339 instant from 1970 to 2262. */
  INVALID_TIME,
  /** Text with control characters or half a surrogate pair. */
  INVALID_TEXT,
  /** A breakdown that does not sum to the units. */
  METERS_DO_NOT_SUM;

  /** Its name in reports, such as {@code invalid-id}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
