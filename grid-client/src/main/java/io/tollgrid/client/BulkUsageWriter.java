package io.tollgrid.client;

import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.IdSource;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ships usage that was recorded elsewhere, from a file or a stream: it is left in the inbox, and
 * every event gets the one, final classification that the ledger gave it (R20).
 *
 * <p>The inbox is everybody's, so few events are in it at once; those that wait for room there are
 * gathered by account meanwhile, which is what makes a large file fast.
 *
 * <p>Each start is a writer of its own. Whoever ships the same usage again, after a crash say,
 * ships other deliveries of the same parts: those that were accepted are duplicates then.
 * Thread-safe; one daemon thread does the work.
 */
public final class BulkUsageWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkUsageWriter.class);
  private static final long FIRST_BACKOFF_NANOS = Duration.ofMillis(10).toNanos();
  private static final long LONGEST_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();

  private record Shipped(UsageDelivery delivery, Consumer<UsageVerdict> answer)
      implements OpenBatch.Event {}

  private final UsageInbox inbox;
  private final LedgerClock clock;
  private final UsageSettings settings;
  private final UsageCounters counters = new UsageCounters();
  private final Id128 id;
  private final SplittableRandom random;
  private final Thread thread;
  private final InstanceLoop loop;
  private final UnansweredUsage unanswered;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition answered = lock.newCondition();

  // guarded by lock
  private final GatheredUsage<Shipped> waiting;
  private long sequence;
  private int open;
  private boolean closed;

  /** Used by the thread only. */
  private long number;

  private BulkUsageWriter(
      final UsageInbox inbox,
      final LedgerClock clock,
      final IdSource ids,
      final UsageSettings settings) {
    this.inbox = inbox;
    this.clock = clock;
    this.settings = settings;
    this.waiting = new GatheredUsage<>(settings.batchEvents());
    this.id = ids.randomId();
    this.random = new SplittableRandom(id.low());
    this.thread = new Thread(this::run, "tollgrid-bulk-usage");
    thread.setDaemon(true);
    this.loop = new InstanceLoop(() -> LockSupport.unpark(thread));
    this.unanswered = new UnansweredUsage(loop);
  }

  /**
   * Starts one.
   *
   * @param inbox where usage is left; not closed by this writer
   * @param settings how events are batched, how many may be in the inbox without an answer, and as
   *     slots how many may be without an answer in all; {@link UsageSettings#BULK} by default
   */
  public static BulkUsageWriter start(
      final UsageInbox inbox,
      final LedgerClock clock,
      final IdSource ids,
      final UsageSettings settings) {
    final BulkUsageWriter writer = new BulkUsageWriter(inbox, clock, ids, settings);
    writer.thread.start();
    return writer;
  }

  /** Its id as a writer. */
  public Id128 id() {
    return id;
  }

  /** What became of its usage. */
  public UsageCounters counters() {
    return counters;
  }

  /** Events without an answer. */
  public int open() {
    lock.lock();
    try {
      return open;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ships an event. Blocks while as many have no answer as there are slots.
   *
   * @param event the event; its writer and sequence are given by this writer
   * @param answer told the classification, once, on the writer's thread, which must not wait for
   *     this writer
   * @throws IllegalStateException if the writer was closed
   */
  public void write(
      final Id128 account, final UsageEvent event, final Consumer<UsageVerdict> answer)
      throws InterruptedException {
    final boolean wakes;
    lock.lockInterruptibly();
    try {
      while (open >= settings.slots() && !closed) {
        answered.await();
      }
      if (closed) {
        throw new IllegalStateException("this writer was closed");
      }
      open++;
      waiting.add(
          account,
          new Shipped(new UsageDelivery(account, event.deliveredAs(id, ++sequence)), answer),
          clock.nowNanos());
      wakes = waiting.size() == 1 || waiting.size() % settings.batchEvents() == 0;
    } finally {
      lock.unlock();
    }
    if (wakes) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Waits until every event that was written has its answer.
   *
   * @return whether that happened within {@code patience}
   */
  public boolean flush(final Duration patience) throws InterruptedException {
    long leftNanos = patience.toNanos();
    lock.lockInterruptibly();
    try {
      while (open > 0 && !closed) {
        if (leftNanos <= 0) {
          return false;
        }
        leftNanos = answered.awaitNanos(leftNanos);
      }
      return open == 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops shipping. What was left in the inbox is recorded all the same; nobody hears of it here.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      answered.signalAll();
    } finally {
      lock.unlock();
    }
    LockSupport.unpark(thread);
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!isClosed()) {
        // Answers make room in the inbox, and what is left there has work of its own.
        final long answeredUntil = loop.run(clock.nowNanos());
        final long until = Math.min(leave(), answeredUntil);
        final long pause = until - clock.nowNanos();
        if (pause > 0) {
          LockSupport.parkNanos(this, Math.min(pause, LONGEST_BACKOFF_NANOS));
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.error("the writer of bulk usage {} ended in a fault; nothing more is shipped", id, e);
      close();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Leaves what there is room for and is full or has waited long enough; returns when to go on. */
  private long leave() {
    final List<List<Shipped>> batches = new ArrayList<>();
    final long now;
    long until = Long.MAX_VALUE;
    lock.lock();
    try {
      // Under the lock: no event that waits came later than this.
      now = clock.nowNanos();
      while (hasRoom()) {
        until = dueNanos(now);
        if (until > now) {
          break;
        }
        batches.add(waiting.next());
      }
    } finally {
      lock.unlock();
    }
    for (final List<Shipped> events : batches) {
      counters.batches.increment();
      loop.callOn(
          new OpenBatch<>(
              new Owner(),
              inbox,
              loop,
              counters,
              new Backoff(FIRST_BACKOFF_NANOS, LONGEST_BACKOFF_NANOS, random),
              events),
          now);
    }
    return batches.isEmpty() ? until : now;
  }

  /** A whole batch fits into the inbox, or all there is. */
  private boolean hasRoom() {
    final int next = Math.min(waiting.size(), settings.batchEvents());
    return next > 0 && settings.credits() - inInbox() >= next;
  }

  private int inInbox() {
    return open - waiting.size();
  }

  /** When the next batch is to be left; a clock that was put back is no reason to wait. */
  private long dueNanos(final long now) {
    if (waiting.size() >= settings.batchEvents()) {
      return now;
    }
    final long lingerNanos = settings.lingerNanos(inInbox());
    final long due = waiting.sinceNanos() + lingerNanos;
    return due - now > lingerNanos ? now : due;
  }

  private void tell(final Shipped event, final UsageVerdict verdict) {
    try {
      event.answer().accept(verdict);
    } catch (RuntimeException e) {
      LOG.error("usage event {} was {}, and whoever was told failed", event.delivery(), verdict, e);
    }
  }

  private final class Owner implements OpenBatch.Owner<Shipped> {
    @Override
    public Id128 id() {
      return id;
    }

    @Override
    public long nextNumber() {
      return ++number;
    }

    @Override
    public void classified(final List<Shipped> events, final List<UsageVerdict> verdicts) {
      counters.lastAnswerNanos.set(clock.nowNanos());
      for (int i = 0; i < events.size(); i++) {
        counters.classified(verdicts.get(i));
        if (verdicts.get(i).kind() == UsageVerdict.Kind.REJECTED) {
          counters.refusedEvents.increment();
          counters.refusedUnits.add(events.get(i).delivery().event().units());
        }
        tell(events.get(i), verdicts.get(i));
      }
      lock.lock();
      try {
        open -= events.size();
        answered.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void ended(final OpenBatch<Shipped> batch) {}

    @Override
    public void unanswered(final int events, final String why) {
      unanswered.warn(events, open(), why);
    }
  }
}
