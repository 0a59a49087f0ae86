package io.tollgrid.pipelines.sweep;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.mapstore.sweep.DuePage;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * What a sweep has done on this member, in numbers. Where it reads is one member's affair: on the
 * others its lag is not to be had. Thread-safe.
 */
final class SweepReport {
  private static final long NOTHING_DUE = Long.MAX_VALUE;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Sweep sweep;
  private final LedgerClock clock;
  private final MeterRegistry registry;
  private final Counter passes;
  private final Counter passesCut;
  private final Counter pages;
  private final Counter readsFailed;
  private final Counter due;
  private final Counter served;
  private final Counter nothingLeft;
  private final Counter held;
  private final Counter leases;
  private final Counter forfeited;
  private final Counter crossings;

  private final AtomicInteger readers = new AtomicInteger();
  private volatile long oldestDueNanos = NOTHING_DUE;
  private volatile long lastPassNanos;

  SweepReport(Sweep sweep, LedgerClock clock, MeterRegistry registry) {
    this.sweep = sweep;
    this.clock = clock;
    this.registry = registry;
    this.passes = counter("tollgrid.sweep.passes", "result", "complete");
    this.passesCut = counter("tollgrid.sweep.passes", "result", "cut");
    this.pages = counter("tollgrid.sweep.pages", "result", "read");
    this.readsFailed = counter("tollgrid.sweep.pages", "result", "failed");
    this.due = counter("tollgrid.sweep.accounts", "result", "due");
    this.served = counter("tollgrid.sweep.accounts", "result", "served");
    this.nothingLeft = counter("tollgrid.sweep.accounts", "result", "nothing-left");
    this.held = counter("tollgrid.sweep.accounts", "result", "held-back");
    this.leases = registry.counter("tollgrid.sweep.leases.reclaimed");
    this.forfeited = registry.counter("tollgrid.sweep.units.forfeited");
    this.crossings = registry.counter("tollgrid.sweep.crossings");
    gauge("tollgrid.sweep.lag.seconds", () -> lagNanos().orElse(-1));
    gauge("tollgrid.sweep.last.pass.seconds", () -> isReading() ? lastPassNanos : -1);
  }

  private Counter counter(String name, String... tags) {
    return Counter.builder(name).tags(tags).tag("sweep", sweep.label()).register(registry);
  }

  private interface Nanos {
    long now();
  }

  /** A time in seconds; what is negative is not to be had. */
  private void gauge(String name, Nanos nanos) {
    Gauge.builder(
            name,
            nanos,
            here -> {
              final long now = here.now();
              return now < 0 ? Double.NaN : now / NANOS_PER_SECOND;
            })
        .tag("sweep", sweep.label())
        .strongReference(true)
        .register(registry);
  }

  private boolean isReading() {
    return readers.get() > 0;
  }

  /** This member begins to read. */
  void readingBegins() {
    oldestDueNanos = NOTHING_DUE;
    lastPassNanos = clock.nowNanos();
    readers.incrementAndGet();
  }

  /** Another member reads from now on, or none. */
  void readingEnds() {
    readers.decrementAndGet();
  }

  /** The first page of a pass, which begins with what is due longest. */
  void passBegan(DuePage first) {
    oldestDueNanos = first.first().map(DueCursor::dueNanos).orElse(NOTHING_DUE);
  }

  void passCompleted(long nowNanos) {
    lastPassNanos = nowNanos;
    passes.increment();
  }

  void passCut() {
    passesCut.increment();
  }

  void pageRead(DuePage page) {
    pages.increment();
    due.increment(page.accounts().size());
  }

  void readFailed() {
    readsFailed.increment();
  }

  void heldBack() {
    held.increment();
  }

  void applied(Outcome.Applied outcome) {
    if (outcome instanceof Outcome.Reclaimed reclaimed) {
      leases.increment(reclaimed.leases());
      forfeited.increment((double) reclaimed.lossUnits());
    } else {
      crossings.increment();
    }
  }

  void served() {
    served.increment();
  }

  void nothingWasLeft() {
    nothingLeft.increment();
  }

  /** A command had no use; {@code code} is the call's or the refusal's. */
  void failed(String code) {
    counter("tollgrid.sweep.failures", "code", code).increment();
  }

  /** Counts accounts that failed as {@code waiting} does. */
  void watchWaiting(IntSupplier waiting) {
    Gauge.builder("tollgrid.sweep.accounts.waiting", waiting, count -> count.getAsInt())
        .tag("sweep", sweep.label())
        .strongReference(true)
        .register(registry);
  }

  /**
   * How far behind this sweep may be: the age of what was due longest when it last looked, or the
   * time since a pass ended, whichever is longer; empty where it does not read.
   */
  OptionalLong lagNanos() {
    if (!isReading()) {
      return OptionalLong.empty();
    }
    final long since = Math.min(oldestDueNanos, lastPassNanos);
    return OptionalLong.of(Math.max(0, clock.nowNanos() - since));
  }
}
