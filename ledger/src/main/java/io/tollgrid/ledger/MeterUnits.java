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

  /** Refuses an empty or overlong name and negative units. */
  public MeterUnits {
    if (meter.isEmpty() || meter.length() > MAX_NAME_CHARS || units < 0) {
      throw new IllegalArgumentException(
          "a meter share needs a name of 1 to 64 characters and units ≥ 0: " + units);
    }
  }
}
