package io.tollgrid.ledger;

/**
 * The share one meter has in a part's units.
 *
 * @param meter the meter's name, 1 to {@value #MAX_NAME_CHARS} characters
 * @param units its units, 0 or more
 */
public record MeterUnits(String meter, long units) {
  /** The longest name a meter may have. */
  public static final int MAX_NAME_CHARS = 64;

  /** Refuses an empty, overlong or unprintable name and negative units. */
  public MeterUnits {
    if (meter.isEmpty() || meter.length() > MAX_NAME_CHARS || !PlainText.isPlain(meter)) {
      throw new IllegalArgumentException(
          "a meter's name has 1 to "
              + MAX_NAME_CHARS
              + " characters, none of them a control character, not "
              + meter.length());
    }
    if (units < 0) {
      throw new IllegalArgumentException(
          "the share of meter " + meter + " cannot be " + units + " units");
    }
  }
}
