package io.tollgrid.client;

import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch in the inbox, until each of its events is classified. Confined to the thread of its loop.
 */
final class OpenBatch<E extends OpenBatch.Event> extends Duty {
  /*
   * It is left, as often as it takes, and then asked about. A batch that is not there any more was lost with the members
   * that had it, or was answered and the answer got lost: what is open of it is left again, under another number, for a
   * message that is late may still bring the old one. The ledgers tell the same delivery the same (R20).
   */
  private static final Logger LOG = LoggerFactory.getLogger(OpenBatch.class);

  /** What a batch is made of. */
  interface Event {
    /** The event, with the ids it keeps for ever. */
    UsageDelivery delivery();
  }

  /** Whose batch it is; on the thread of the batch. */
  interface Owner<E extends Event> {
    /** The writer's id. */
    Id128 id();

    /** A number for a batch, never used before. */
    long nextNumber();

    /** Events have their one, final classification. */
    void classified(List<E> events, List<UsageVerdict> verdicts);

    /** Every event of a batch was classified. */
    void ended(OpenBatch<E> batch);

    /** Events have had no answer for so long that it deserves a person's attention. */
    void unanswered(int events, String why);
  }

  private final Owner<E> writer;
  private final UsageInbox inbox;
  private final InstanceLoop loop;
  private final UsageCounters counters;
  private final Backoff backoff;
  private List<E> events;
  private UsageBatch batch;
  private UsageVerdicts known;
  private boolean sent;
  private boolean left;
  private boolean underWay;

  OpenBatch(
      final Owner<E> writer,
      final UsageInbox inbox,
      final InstanceLoop loop,
      final UsageCounters counters,
      final Backoff backoff,
      final List<E> events) {
    this.writer = writer;
    this.inbox = inbox;
    this.loop = loop;
    this.counters = counters;
    this.backoff = backoff;
    this.events = events;
    this.batch = numbered(events);
    this.known = UsageVerdicts.none(events.size());
  }

  private UsageBatch numbered(final List<E> open) {
    return new UsageBatch(
        writer.id(), writer.nextNumber(), open.stream().map(Event::delivery).toList());
  }

  @Override
  long perform(final long nowNanos) {
    if (underWay) {
      return NEVER;
    }
    underWay = true;
    if (left) {
      deliver(Questions.ask(() -> inbox.ask(batch, known.known())), this::asked);
    } else {
      sent = true;
      deliver(Questions.ask(() -> inbox.leave(batch)), this::left);
    }
    return NEVER;
  }

  private <T> void deliver(final CompletionStage<T> stage, final Consumer<T> then) {
    final var unused =
        stage.whenComplete(
            (answer, failure) ->
                loop.post(
                    () -> {
                      underWay = false;
                      if (failure == null) {
                        then.accept(answer);
                      } else {
                        failed(failure);
                      }
                    }));
  }

  private void left(final UsageVerdicts verdicts) {
    left = true;
    backoff.reset();
    final boolean unused = learn(verdicts);
    goOn(0);
  }

  private void asked(final Optional<UsageVerdicts> answer) {
    if (answer.isEmpty()) {
      leaveAgain();
      goOn(0);
      return;
    }
    final boolean more = learn(answer.get());
    if (more) {
      backoff.reset();
    } else {
      counters.retries.increment();
      warn("they are left but not recorded", null);
    }
    goOn(more ? 0 : backoff.nextNanos());
  }

  /** Keeps the open events only, as a batch of its own. */
  private void leaveAgain() {
    final List<E> open = open();
    if (open.isEmpty()) {
      return;
    }
    counters.retries.increment();
    events = open;
    batch = numbered(open);
    known = UsageVerdicts.none(open.size());
    left = false;
  }

  private List<E> open() {
    final List<E> open = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      if (known.get(i) == null) {
        open.add(events.get(i));
      }
    }
    return open;
  }

  /**
   * Takes in what the inbox knows. That may be less than before: a message that is late can bring
   * the batch back as it was left, after its members were lost. What was known stays known, for
   * each event is told once.
   *
   * @return whether it was more
   */
  private boolean learn(final UsageVerdicts now) {
    if (now.size() != events.size()) {
      LOG.error(
          "usage batch {} of {} events is in the inbox with {}; it is left again",
          batch.key(),
          events.size(),
          now.size());
      leaveAgain();
      return false;
    }
    final List<E> classified = new ArrayList<>();
    final List<UsageVerdict> verdicts = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      final UsageVerdict verdict = now.get(i);
      if (verdict != null && known.get(i) == null) {
        classified.add(events.get(i));
        verdicts.add(verdict);
      }
    }
    known = known.and(now);
    if (!classified.isEmpty()) {
      writer.classified(classified, verdicts);
    }
    return !classified.isEmpty();
  }

  private void goOn(final long pauseNanos) {
    if (known.isComplete()) {
      inbox.forget(batch);
      writer.ended(this);
      return;
    }
    loop.callOn(this, loop.nowNanos() + pauseNanos);
  }

  private void failed(final Throwable failure) {
    counters.retries.increment();
    warn("the inbox does not answer", failure);
    goOn(backoff.nextNanos());
  }

  private void warn(final String why, final @Nullable Throwable failure) {
    if (backoff.isWorthAWarning()) {
      writer.unanswered(known.size() - known.known(), why);
    }
    LOG.debug("usage batch {} has no answer", batch.key(), failure);
  }

  /** Units of its open events, split by whether it was ever sent. */
  void report(final OpenUsage report) {
    for (final E pending : open()) {
      report.add(pending.delivery().event().units(), sent);
    }
  }
}
