package io.tollgrid.admission.plan;

import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import java.util.List;

/** An operation's price as requests read it: arrays, and meters by number. Immutable. */
public final class PricedOperation {
  private final String name;
  private final long[] fixedUnits;
  private final long[] unitsPerItem;
  private final long[] minimumUnits;
  private final int[] meters;
  private final long meterSet;
  private final long estimateItems;
  private final long maximumItems;

  /** Whether its price fits 63 bits on every meter for up to {@link #maximumItems}. */
  private final boolean alwaysFits;

  private final boolean permitted;
  private final boolean aggregated;
  private final long longestNanos;

  PricedOperation(final OperationPrice price, final boolean permitted, final Catalogue catalogue) {
    final List<MeterPrice> prices = price.prices();
    this.name = price.operation();
    this.fixedUnits = prices.stream().mapToLong(MeterPrice::fixedUnits).toArray();
    this.unitsPerItem = prices.stream().mapToLong(MeterPrice::unitsPerItem).toArray();
    this.minimumUnits = prices.stream().mapToLong(MeterPrice::minimumUnits).toArray();
    this.meters = prices.stream().mapToInt(one -> catalogue.meter(one.meter())).toArray();
    this.meterSet = catalogue.meterSet(prices.stream().map(MeterPrice::meter).toList());
    this.estimateItems = price.estimateItems();
    this.maximumItems = price.maximumItems();
    this.alwaysFits =
        prices.stream()
            .noneMatch(
                one ->
                    PriceArithmetic.quote(
                            one.fixedUnits(),
                            one.unitsPerItem(),
                            one.minimumUnits(),
                            price.maximumItems())
                        == PriceArithmetic.OVERFLOW);
    this.permitted = permitted;
    this.aggregated = price.billing() == Billing.AGGREGATED;
    this.longestNanos = saturatedNanos(price);
  }

  private static long saturatedNanos(final OperationPrice price) {
    return price.longest().compareTo(java.time.Duration.ofNanos(Long.MAX_VALUE)) >= 0
        ? Long.MAX_VALUE
        : price.longest().toNanos();
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Whether the plan allows it. */
  public boolean isPermitted() {
    return permitted;
  }

  /** Items of a request that says nothing about them. */
  public long estimateItems() {
    return estimateItems;
  }

  /** The most items one request may have. */
  public long maximumItems() {
    return maximumItems;
  }

  /** Whether its usage is recorded per lease and second. */
  public boolean isAggregated() {
    return aggregated;
  }

  /** How long it may run before it counts as abandoned. */
  public long longestNanos() {
    return longestNanos;
  }

  /** How many meters it counts on. */
  public int meters() {
    return meters.length;
  }

  /** The number of its {@code i}-th meter. */
  public int meter(final int i) {
    return meters[i];
  }

  /** The meters it counts on, as bits. */
  public long meterSet() {
    return meterSet;
  }

  /** What {@code items} cost on its {@code i}-th meter, or {@link PriceArithmetic#OVERFLOW}. */
  public long unitsOn(final int i, final long items) {
    if (alwaysFits && items <= maximumItems) {
      // As quote(), without the division by which it tells that the price fits.
      return Math.max(minimumUnits[i], fixedUnits[i] + unitsPerItem[i] * items);
    }
    return PriceArithmetic.quote(fixedUnits[i], unitsPerItem[i], minimumUnits[i], items);
  }

  /**
   * What {@code items} cost on all of {@code counted}, a set of meters, or {@link
   * PriceArithmetic#OVERFLOW}.
   */
  public long quoteUnits(final long counted, final long items) {
    long sum = 0;
    for (int i = 0; i < meters.length; i++) {
      if ((counted >>> meters[i] & 1) != 0) {
        sum = PriceArithmetic.sum(sum, unitsOn(i, items));
      }
    }
    return sum;
  }
}
