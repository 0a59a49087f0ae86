package io.tollgrid.client;

import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.request.UsageSlot;
import io.tollgrid.ledger.UsageDelivery;
import org.jspecify.annotations.Nullable;

/**
 * One event that has no durable, classified answer yet.
 *
 * @param delivery the event, with the ids it keeps for ever
 * @param request the request it belongs to
 * @param lease the lease that paid, or null
 */
record PendingEvent(UsageDelivery delivery, Request request, @Nullable HeldLease lease)
    implements OpenBatch.Event {
  /** A request of which some events are open; its slot is freed with the last of them. */
  static final class Request {
    private final UsageSlot slot;
    private int open;

    Request(final UsageSlot slot) {
      this.slot = slot;
    }

    UsageSlot slot() {
      return slot;
    }

    void opened() {
      open++;
    }

    /** One event was answered. Returns whether it was the last. */
    boolean closed() {
      return --open == 0;
    }
  }
}
