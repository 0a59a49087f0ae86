package io.tollgrid.mapstore.lane;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * How often a fault is logged that may come with every request: at once, and then once a minute,
 * with how often it came. Thread-safe. It knows a bounded number of faults; the one that was
 * longest absent is forgotten first.
 */
public final class RecurringFaults {
  static final int MOST = 1_024;
  static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanos;

  /** Guarded by itself, in the order in which faults came last. */
  private final Map<String, Times> known = new LinkedHashMap<>(16, 0.75f, true);

  /** When a fault may be logged again, and how often it came since it was. */
  private record Times(long dueAtNanos, long untold) {}

  /**
   * None so far.
   *
   * @param nanos a clock that only goes forward, nanoseconds
   */
  public RecurringFaults(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * A fault came.
   *
   * @param fault what two of one kind have in common, an account's id among it if it is one's own
   * @param log writes it down; gets how often it came since it was written down last, this time
   *     included
   */
  public void came(String fault, LongConsumer log) {
    final long now = nanos.getAsLong();
    final long times;
    synchronized (known) {
      final Times before = known.get(fault);
      final long untold = before == null ? 1 : before.untold() + 1;
      if (before != null && now - before.dueAtNanos() < 0) {
        known.put(fault, new Times(before.dueAtNanos(), untold));
        return;
      }
      known.put(fault, new Times(now + PAUSE_NANOS, 0));
      if (known.size() > MOST) {
        known.remove(known.keySet().iterator().next());
      }
      times = untold;
    }
    log.accept(times);
  }
}
