package io.tollgrid.ledger.policy;

/**
 * What an operation costs on one meter: so many units for the call, so many more per item, and a
 * least amount.
 *
 * @param meter the meter's name
 * @param fixedUnits units for the call itself, 0 or more
 * @param unitsPerItem units for each item, 0 or more
 * @param minimumUnits the least it costs, 0 or more
 */
public record MeterPrice(String meter, long fixedUnits, long unitsPerItem, long minimumUnits) {
  /** Refuses names that are none and negative prices. */
  public MeterPrice {
    PolicyName.require("meter", meter);
    if (fixedUnits < 0 || unitsPerItem < 0 || minimumUnits < 0) {
      throw new IllegalArgumentException(
          "a price on meter "
              + meter
              + " is negative: "
              + fixedUnits
              + " + "
              + unitsPerItem
              + " per item, at least "
              + minimumUnits);
    }
  }

  /** One unit per item, nothing else. */
  public static MeterPrice perItem(final String meter) {
    return new MeterPrice(meter, 0, 1, 0);
  }
}
