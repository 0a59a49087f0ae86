package io.tollgrid.grid.usage;

import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.UsageDelivery;
import java.util.List;

/** A batch as it lies in the inbox of a member. Immutable. */
public final class LeftUsage {
  private final String key;
  private final byte[] events;
  private final UsageVerdicts verdicts;

  LeftUsage(String key, byte[] events, UsageVerdicts verdicts) {
    this.key = key;
    this.events = events;
    this.verdicts = verdicts;
  }

  /** The batch's name in the inbox. */
  public String key() {
    return key;
  }

  /** What is known of its events. */
  public UsageVerdicts verdicts() {
    return verdicts;
  }

  /**
   * Its events; none once all are classified.
   *
   * @throws io.tollgrid.ledger.MalformedBytesException if it was not written by a writer of ours
   */
  public List<UsageDelivery> deliveries() {
    return verdicts.isComplete() ? List.of() : LedgerCodec.decodeDeliveries(events);
  }
}
