package io.tollgrid.admission.request;

/**
 * A thing with a fixed price: so many units, and so many more per item.
 *
 * @param name what it is called in messages
 * @param baseUnits units for the call itself, 0 or more
 * @param unitsPerItem units for each item, 0 or more
 */
public record Operation(String name, long baseUnits, long unitsPerItem) {
  /** The quote of work whose price does not fit 63 bits. */
  public static final long OVERFLOW = -1;

  /** Refuses negative prices. */
  public Operation {
    if (baseUnits < 0 || unitsPerItem < 0) {
      throw new IllegalArgumentException(
          "operation " + name + " has a negative price: " + baseUnits + " + " + unitsPerItem);
    }
  }

  /**
   * The price of {@code items} items, or {@link #OVERFLOW}.
   *
   * @param items 0 or more
   */
  public long quoteUnits(final long items) {
    if (items < 0) {
      throw new IllegalArgumentException("operation " + name + " cannot do " + items + " items");
    }
    final boolean overflows =
        unitsPerItem > 0 && items > (Long.MAX_VALUE - baseUnits) / unitsPerItem;
    return overflows ? OVERFLOW : baseUnits + unitsPerItem * items;
  }
}
