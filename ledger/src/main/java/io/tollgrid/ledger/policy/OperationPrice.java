package io.tollgrid.ledger.policy;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a plan says about one operation.
 *
 * @param operation its name
 * @param prices a price for each meter it counts on, at least one, no meter twice
 * @param estimateItems how many items a request without an estimate reserves, 1 or more (R9)
 * @param maximumItems how many items one request may reserve, at least the estimate
 * @param billing how its usage is recorded
 * @param longest how long it may run before it counts as abandoned, positive (R21)
 */
public record OperationPrice(
    String operation,
    List<MeterPrice> prices,
    long estimateItems,
    long maximumItems,
    Billing billing,
    Duration longest) {
  /** Meters one operation can have. */
  public static final int MAX_PRICES = 16;

  /** Refuses what cannot be priced, and a default that would reserve nothing. */
  public OperationPrice {
    PolicyName.require("operation", operation);
    prices = List.copyOf(prices);
    final Set<String> meters = new HashSet<>();
    prices.forEach(price -> meters.add(price.meter()));
    if (prices.isEmpty() || prices.size() > MAX_PRICES || meters.size() < prices.size()) {
      throw new IllegalArgumentException(
          "operation "
              + operation
              + " needs a price on 1 to "
              + MAX_PRICES
              + " meters, one for each; it has "
              + prices.size()
              + " on "
              + meters.size());
    }
    if (estimateItems < 1 || maximumItems < estimateItems) {
      throw new IllegalArgumentException(
          "operation "
              + operation
              + " reserves "
              + estimateItems
              + " items by default and at most "
              + maximumItems
              + ": the default is at least 1, the maximum at least the default");
    }
    if (longest.isZero() || longest.isNegative()) {
      throw new IllegalArgumentException(
          "operation " + operation + " cannot run for at most " + longest);
    }
  }

  /** A price on one meter, one item unless asked otherwise, for up to ten minutes. */
  public static OperationPrice of(final String operation, final MeterPrice price) {
    return new OperationPrice(
        operation, List.of(price), 1, Long.MAX_VALUE, Billing.PER_REQUEST, Duration.ofMinutes(10));
  }
}
