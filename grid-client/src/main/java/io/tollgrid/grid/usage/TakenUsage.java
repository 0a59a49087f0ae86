package io.tollgrid.grid.usage;

import io.tollgrid.ledger.UsageDelivery;

/**
 * One event that was taken from an inbox to be recorded.
 *
 * @param key the name of its batch
 * @param position its place there
 * @param delivery the event
 */
public record TakenUsage(String key, int position, UsageDelivery delivery) {}
