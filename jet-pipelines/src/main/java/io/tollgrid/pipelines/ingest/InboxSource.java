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
  private static final long NEVER = Long.MAX_VALUE;

  private record Seen(long firstNanos, long againAtNanos, long pauseNanos) {
    boolean isOpen() {
      return againAtNanos != NEVER;
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
  private long lookNanos;
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
      } else if (clock.nowNanos() >= lookNanos) {
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
      lookNanos = clock.nowNanos() + settings.scanNanos();
    }
    return null;
  }

  private void look() {
    final long now = clock.nowNanos();
    lookNanos = now + settings.scanNanos();
    final Set<String> keys = inbox().keys();
    seen.keySet().retainAll(keys);
    for (final String key : keys) {
      final @Nullable Seen before = seen.get(key);
      if (before == null || before.againAtNanos() <= now) {
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
    if (before != null && now < before.againAtNanos()) {
      // Both the bell and a look told of it.
      return;
    }
    if (usage.verdicts().isComplete()) {
      seen.put(usage.key(), new Seen(now, NEVER, 0));
      return;
    }
    final long pause =
        before == null
            ? settings.againNanos()
            : Math.min(2 * before.pauseNanos(), settings.longestAgainNanos());
    try {
      open = items(usage);
      seen.put(
          usage.key(), new Seen(before == null ? now : before.firstNanos(), now + pause, pause));
      report.taken(before != null);
    } catch (MalformedBytesException e) {
      seen.put(usage.key(), new Seen(now, NEVER, 0));
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
