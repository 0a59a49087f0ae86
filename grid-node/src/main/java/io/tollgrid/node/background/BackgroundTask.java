package io.tollgrid.node.background;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that runs a pass whenever it is woken, and at the latest every interval.
 *
 * <p>A pass that fails is counted and tried again; the first failure of a streak is logged at INFO,
 * the second, fourth, eighth and so on at WARN. An {@link Error} ends the task: it is then dead, is
 * logged at ERROR, and {@link #alive} says so (R39). Thread-safe.
 */
public final class BackgroundTask implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundTask.class);

  /** One bounded piece of work. */
  @FunctionalInterface
  public interface Pass {
    /** Does the work; a failure is retried with the next pass. */
    void run() throws Exception;
  }

  private final String name;
  private final Duration interval;
  private final Pass pass;
  private final Thread thread;
  private final BlockingQueue<Boolean> doorbell = new ArrayBlockingQueue<>(1);
  private final AtomicLong passes = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong streak = new AtomicLong();
  private volatile boolean closed;

  /**
   * A task that does not run yet.
   *
   * @param name what it does, for logs, threads and readiness
   * @param interval the longest pause between two passes
   */
  public BackgroundTask(String name, Duration interval, Pass pass) {
    this.name = name;
    this.interval = interval;
    this.pass = pass;
    this.thread = new Thread(this::run, "tollgrid-" + name);
    thread.setDaemon(true);
  }

  /** Starts it; once. */
  public void start() {
    thread.start();
  }

  /** Asks for a pass as soon as the running one, if any, has ended. Never blocks. */
  public void wake() {
    doorbell.offer(Boolean.TRUE);
  }

  /** Whether it runs, and will run its next pass. */
  public boolean alive() {
    return thread.isAlive() && !closed;
  }

  /** What it does. */
  public String name() {
    return name;
  }

  /** Passes ended so far, failed ones included. */
  public long passes() {
    return passes.get();
  }

  /** Passes that failed so far. */
  public long failures() {
    return failures.get();
  }

  /** Passes that failed since the last one that did not. */
  public long failureStreak() {
    return streak.get();
  }

  /** Asks it to end and waits for the running pass at most a while; a pass that hangs is left. */
  public void close(Duration patience) {
    closed = true;
    thread.interrupt();
    try {
      thread.join(Math.max(1, patience.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn("{} did not end within {}; it is left behind", name, patience);
    }
  }

  @Override
  public void close() {
    close(Duration.ofSeconds(5));
  }

  private void run() {
    try {
      while (!closed) {
        onePass();
        if (!closed) {
          doorbell.poll(interval.toNanos(), TimeUnit.NANOSECONDS);
        }
      }
    } catch (InterruptedException e) {
      if (!closed) {
        LOG.error("{} was interrupted by someone else and is dead", name, e);
      }
    } catch (Throwable e) {
      LOG.error("{} is dead", name, e);
      throw e;
    }
  }

  private void onePass() throws InterruptedException {
    try {
      pass.run();
      final long ended = streak.getAndSet(0);
      if (ended > 1) {
        LOG.info("{} works again after {} failures", name, ended);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failures.incrementAndGet();
      report(e, streak.incrementAndGet());
    } finally {
      passes.incrementAndGet();
    }
  }

  private void report(Exception e, long failed) {
    if (closed) {
      LOG.debug("{} failed while ending", name, e);
    } else if (failed == 1) {
      LOG.info("{} failed and tries again: {}", name, e.toString());
    } else if (Long.bitCount(failed) == 1) {
      LOG.warn("{} has failed {} times in a row", name, failed, e);
    }
  }
}
