package io.tollgrid.verification.faults.fleet;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.ledger.Id128;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one unit, of one account after the other, and what became of them; on a thread of its
 * own until it is closed. Its counts may be read by any thread.
 */
final class Traffic implements AutoCloseable {
  private final Thread thread;
  private volatile boolean ended;

  // guarded by this
  private final Map<Denial, Long> denials = new EnumMap<>(Denial.class);
  private final Map<Id128, Long> refusedSince = new HashMap<>();
  private long longestGapNanos;
  private long served;

  /** Begins; so many requests are made, then a millisecond passes. */
  Traffic(
      LocalInstances local, InstanceRuntime instance, List<Id128> accounts, int requestsPerMilli) {
    thread =
        new Thread(
            () -> {
              for (int i = 0; !ended; i++) {
                final Id128 account = accounts.get(i % accounts.size());
                count(account, local.served(instance, account, 1));
                if (i % requestsPerMilli == 0) {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
              }
            },
            "traffic");
    thread.setDaemon(true);
    thread.start();
  }

  private synchronized void count(Id128 account, @Nullable Denial denial) {
    final long now = System.nanoTime();
    if (denial == null) {
      served++;
      final Long since = refusedSince.remove(account);
      longestGapNanos = Math.max(longestGapNanos, since == null ? 0 : now - since);
    } else {
      denials.merge(denial, 1L, Long::sum);
      refusedSince.putIfAbsent(account, now);
    }
  }

  /** The longest time for which one account was refused and then served again, milliseconds. */
  synchronized long longestGapMillis() {
    return TimeUnit.NANOSECONDS.toMillis(longestGapNanos);
  }

  /** Requests that were served. */
  synchronized long served() {
    return served;
  }

  /** Requests that were refused for one reason. */
  synchronized long denied(Denial reason) {
    return denials.getOrDefault(reason, 0L);
  }

  /** Requests that were refused, by reason. */
  synchronized Map<Denial, Long> denials() {
    return new EnumMap<>(denials);
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
