package io.tollgrid.pipelines.ingest;

import com.hazelcast.jet.Traverser;
import com.hazelcast.jet.Traversers;
import com.hazelcast.jet.Util;
import com.hazelcast.jet.core.AbstractProcessor;
import io.tollgrid.grid.usage.LeftUsage;
import io.tollgrid.grid.usage.MemberInbox;
import io.tollgrid.grid.usage.TakenUsage;
import io.tollgrid.ledger.MalformedBytesException;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first stage: hands out the open events of the batches that lie with this member, each under
 * its account's ledger key so that it goes to its owner. The bell tells of new batches; whatever it
 * missed, and what is still open after a while, is found by looking. Has a thread of its own.
 */
final class InboxSource extends AbstractProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(InboxSource.class);

  /** Batches read at once. */
  private static final int PAGE = 16;

  private static final long AWAIT_NANOS = 2_000_000L;

  /** After how long a batch is looked at again of which there is nothing to take. */
  private static final long NOTHING_TO_TAKE_NANOS = Duration.ofSeconds(60).toNanos();

  private enum State {
    OPEN,
    ANSWERED,
    MALFORMED
  }

  /**
   * A batch that was looked at; {@code atNanos} is when, {@code pauseNanos} how long it is left
   * alone then, and {@code known} of how many of its events the classification was known.
   */
  private record Seen(State state, long firstNanos, long atNanos, long pauseNanos, int known) {
    static Seen closed(State state, long now) {
      return new Seen(state, now, now, NOTHING_TO_TAKE_NANOS, 0);
    }

    boolean isOpen() {
      return state == State.OPEN;
    }

    /** A clock that was put back ends the pause. */
    boolean isLeftAlone(long now) {
      return now >= atNanos && now - atNanos < pauseNanos;
    }

    /** More of it is classified than before: it is being worked on. */
    boolean goesOn(LeftUsage usage) {
      return isOpen() && usage.verdicts().known() > known;
    }

    /** A late message brought back what had been answered and taken away. */
    boolean isBackAgain(LeftUsage usage) {
      return state == State.ANSWERED && !usage.verdicts().isComplete();
    }
  }

  private final MemberIngest ingest;
  private final LedgerClock clock;
  private final IngestSettings settings;
  private final IngestReport report;
  private final Map<String, Seen> seen = new HashMap<>();
  private Traverser<Map.Entry<String, TakenUsage>> open = Traversers.empty();
  private List<String> toRead = new ArrayList<>();
  private List<LeftUsage> read = new ArrayList<>();
  private long lookedNanos;
  private @Nullable MemberInbox inbox;

  InboxSource(
      MemberIngest ingest, LedgerClock clock, IngestSettings settings, IngestReport report) {
    this.ingest = ingest;
    this.clock = clock;
    this.settings = settings;
    this.report = report;
  }

  @Override
  protected void init(Context context) {
    inbox = new MemberInbox(context.hazelcastInstance());
  }

  private MemberInbox inbox() {
    return Objects.requireNonNull(inbox, "taking begins with its init");
  }

  @Override
  public boolean isCooperative() {
    return false;
  }

  @Override
  public boolean complete() {
    if (emitFromTraverser(open)) {
      final @Nullable LeftUsage next = next();
      if (next != null) {
        take(next);
      }
    }
    return false;
  }

  private @Nullable LeftUsage next() {
    if (!read.isEmpty()) {
      return read.remove(read.size() - 1);
    }
    try {
      if (!toRead.isEmpty()) {
        final List<String> page = toRead.subList(0, Math.min(PAGE, toRead.size()));
        read = new ArrayList<>(inbox().read(page));
        toRead = new ArrayList<>(toRead.subList(page.size(), toRead.size()));
      } else if (clock.nowNanos() - lookedNanos >= settings.scanNanos()
          || clock.nowNanos() < lookedNanos) {
        look();
      } else {
        return ingest.awaitRung(AWAIT_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("the usage inbox cannot be read now: {}", e.toString());
      LOG.debug("the usage inbox cannot be read now", e);
      toRead.clear();
      lookedNanos = clock.nowNanos();
    }
    return null;
  }

  private void look() {
    final long now = clock.nowNanos();
    lookedNanos = now;
    final Set<String> keys = inbox().keys();
    seen.keySet().retainAll(keys);
    for (final String key : keys) {
      final @Nullable Seen before = seen.get(key);
      if (before == null || !before.isLeftAlone(now)) {
        toRead.add(key);
      }
    }
    report.open(
        (int) seen.values().stream().filter(Seen::isOpen).count(),
        seen.values().stream().filter(Seen::isOpen).mapToLong(Seen::firstNanos).min().orElse(now));
  }

  private void take(LeftUsage usage) {
    final long now = clock.nowNanos();
    final @Nullable Seen before = seen.get(usage.key());
    if (before != null && before.isLeftAlone(now) && !before.isBackAgain(usage)) {
      // Both the bell and a look told of it.
      return;
    }
    if (usage.verdicts().isComplete()) {
      seen.put(usage.key(), Seen.closed(State.ANSWERED, now));
      return;
    }
    final int known = usage.verdicts().known();
    if (before != null && before.goesOn(usage)) {
      seen.put(
          usage.key(),
          new Seen(State.OPEN, before.firstNanos(), now, settings.againNanos(), known));
      return;
    }
    final long pause =
        before == null || !before.isOpen()
            ? settings.againNanos()
            : Math.min(2 * before.pauseNanos(), settings.longestAgainNanos());
    try {
      open = items(usage);
      final long first = before == null || !before.isOpen() ? now : before.firstNanos();
      seen.put(usage.key(), new Seen(State.OPEN, first, now, pause, known));
      report.taken(before != null, first);
    } catch (MalformedBytesException e) {
      seen.put(usage.key(), Seen.closed(State.MALFORMED, now));
      report.malformed();
      LOG.error("usage batch {} cannot be read and is passed over", usage.key(), e);
    }
  }

  private static Traverser<Map.Entry<String, TakenUsage>> items(LeftUsage usage) {
    final List<UsageDelivery> deliveries = usage.deliveries();
    if (deliveries.size() != usage.verdicts().size()) {
      throw new MalformedBytesException(
          usage.verdicts().size() + " events were announced, not " + deliveries.size());
    }
    final List<Map.Entry<String, TakenUsage>> items = new ArrayList<>(deliveries.size());
    for (int i = 0; i < deliveries.size(); i++) {
      if (usage.verdicts().get(i) == null) {
        final UsageDelivery delivery = deliveries.get(i);
        items.add(Util.entry(delivery.account().toHex(), new TakenUsage(usage.key(), i, delivery)));
      }
    }
    return Traversers.traverseIterable(items);
  }
}
