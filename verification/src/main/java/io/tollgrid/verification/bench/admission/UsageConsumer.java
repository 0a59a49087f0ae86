package io.tollgrid.verification.bench.admission;

import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.request.UsageSlot;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that empties a usage queue as a writer does: it reads what a batch is to bill, then
 * acknowledges it as a whole. Allocates nothing, since the profiler counts every thread's bytes.
 */
final class UsageConsumer implements AutoCloseable {
  private static final int BATCH = 512;

  private final UsageQueue queue;
  private final long lingerNanos;
  private final @Nullable UsageSlot[] batch = new UsageSlot[BATCH];
  private final Thread thread;
  private volatile boolean stopped;
  private volatile long units;

  /**
   * A consumer that runs at once.
   *
   * @param lingerNanos how long it waits for more when a batch was not full, 0 to look again at
   *     once
   */
  UsageConsumer(UsageQueue queue, long lingerNanos) {
    this.queue = queue;
    this.lingerNanos = lingerNanos;
    this.thread = new Thread(this::run, "usage-consumer");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!stopped) {
      final int collected = collect();
      queue.acknowledge(batch, collected);
      if (collected < BATCH) {
        if (lingerNanos > 0) {
          LockSupport.parkNanos(lingerNanos);
        } else {
          Thread.onSpinWait();
        }
      }
    }
  }

  private int collect() {
    long billed = units;
    int collected = 0;
    while (collected < BATCH) {
      final UsageSlot slot = queue.poll();
      if (slot == null) {
        break;
      }
      for (int part = 0; part < slot.parts(); part++) {
        billed += slot.units(part);
      }
      batch[collected++] = slot;
    }
    units = billed;
    return collected;
  }

  /** Units of all that it was handed. */
  long units() {
    return units;
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
