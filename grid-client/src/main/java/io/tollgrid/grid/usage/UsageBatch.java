package io.tollgrid.grid.usage;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.UsageDelivery;
import java.util.List;

/**
 * Events that a writer leaves together.
 *
 * @param writer the process start that recorded them
 * @param number of this batch at that writer, never used for another
 * @param deliveries 1 to {@value LedgerCommand.RecordUsage#MAX_EVENTS} events of that writer, of
 *     any accounts
 */
public record UsageBatch(Id128 writer, long number, List<UsageDelivery> deliveries) {
  /** Refuses an empty batch, one that is too long, and events of another writer. */
  public UsageBatch {
    deliveries = List.copyOf(deliveries);
    if (deliveries.isEmpty() || deliveries.size() > LedgerCommand.RecordUsage.MAX_EVENTS) {
      throw new IllegalArgumentException("a batch of " + deliveries.size() + " events");
    }
    for (final UsageDelivery delivery : deliveries) {
      if (!delivery.event().writer().equals(writer)) {
        throw new IllegalArgumentException(
            "a batch of writer " + writer + " with an event of " + delivery.event().writer());
      }
    }
  }

  /** Its name in an inbox. */
  public String key() {
    return writer.toHex() + "/" + number;
  }
}
