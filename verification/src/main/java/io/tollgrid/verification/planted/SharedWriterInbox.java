package io.tollgrid.verification.planted;

import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A usage inbox with a planted bug: whoever leaves usage in it does so under one writer's id,
 * counting from where it began, as a process would that keeps its id over a restart. Thread-safe.
 */
public final class SharedWriterInbox implements UsageInbox {
  private static final Id128 WRITER = new Id128(1, 1);

  private final UsageInbox inbox;

  /** Plants it before {@code inbox}. */
  public SharedWriterInbox(UsageInbox inbox) {
    this.inbox = inbox;
  }

  @Override
  public CompletionStage<UsageVerdicts> leave(UsageBatch batch) {
    return inbox.leave(asOne(batch));
  }

  @Override
  public CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known) {
    return inbox.ask(asOne(batch), known);
  }

  @Override
  public void forget(UsageBatch batch) {
    inbox.forget(asOne(batch));
  }

  @Override
  public void close() {
    inbox.close();
  }

  private static UsageBatch asOne(UsageBatch batch) {
    return new UsageBatch(
        WRITER,
        batch.number(),
        batch.deliveries().stream()
            .map(delivery -> new UsageDelivery(delivery.account(), asOne(delivery.event())))
            .toList());
  }

  private static UsageEvent asOne(UsageEvent event) {
    return new UsageEvent(
        event.requestId(),
        event.part(),
        event.role(),
        event.funding(),
        event.units(),
        event.requests(),
        event.meters(),
        event.keyId(),
        event.policyRevision(),
        event.occurredAtNanos(),
        WRITER,
        event.sequence());
  }
}
