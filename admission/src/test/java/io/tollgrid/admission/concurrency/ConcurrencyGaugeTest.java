package io.tollgrid.admission.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Witnesses R30: ceilings are exact, count what runs when they are set, and are left once. */
class ConcurrencyGaugeTest {
  private static final int THREADS = 4;

  @Test
  void withoutACeilingEverybodyEnters() {
    final ConcurrencyGauge gauge = new ConcurrencyGauge();

    for (int i = 0; i < 100; i++) {
      assertThat(gauge.tryEnter(i)).isNotEqualTo(ConcurrencyGauge.REFUSED);
    }
    assertThat(gauge.running()).isEqualTo(100);
    assertThat(gauge.ceiling()).isZero();
  }

  @Test
  void aCeilingIsReachedAndNeverExceeded() {
    final ConcurrencyGauge gauge = new ConcurrencyGauge();
    gauge.limit(2);

    final int first = gauge.tryEnter(0);
    assertThat(first).isNotEqualTo(ConcurrencyGauge.REFUSED);
    assertThat(gauge.tryEnter(0)).isNotEqualTo(ConcurrencyGauge.REFUSED);
    assertThat(gauge.tryEnter(0)).isEqualTo(ConcurrencyGauge.REFUSED);
    gauge.leave(first);
    assertThat(gauge.tryEnter(0)).isNotEqualTo(ConcurrencyGauge.REFUSED);
    assertThat(gauge.tryEnter(0)).isEqualTo(ConcurrencyGauge.REFUSED);
    assertThat(gauge.running()).isEqualTo(2);
  }

  @Test
  void aCeilingCountsWhatRanInStripesBeforeAndLeavesItAlone() {
    final ConcurrencyGauge gauge = new ConcurrencyGauge(4);
    final List<Integer> tokens = new ArrayList<>();
    for (int stripe = -6; stripe < 6; stripe++) {
      tokens.add(gauge.tryEnter(stripe));
    }
    assertThat(gauge.running()).isEqualTo(12);

    gauge.limit(11);
    assertThat(gauge.running()).isEqualTo(12);
    assertThat(gauge.tryEnter(0)).isEqualTo(ConcurrencyGauge.REFUSED);
    gauge.leave(tokens.remove(0));
    assertThat(gauge.tryEnter(0)).isEqualTo(ConcurrencyGauge.REFUSED);
    gauge.leave(tokens.remove(0));
    final int token = gauge.tryEnter(0);
    assertThat(token).isNotEqualTo(ConcurrencyGauge.REFUSED);

    tokens.forEach(gauge::leave);
    gauge.leave(token);
    assertThat(gauge.running()).isZero();
  }

  @Test
  void whoHasNoCeilingIsNotRefusedWhenItIsLiftedAndWhoRunsCountsWhenItComesBack() {
    final ConcurrencyGauge gauge = new ConcurrencyGauge(2);
    gauge.limit(1);
    assertThat(gauge.tryEnter(0)).isNotEqualTo(ConcurrencyGauge.REFUSED);
    gauge.limit(0);

    for (int i = 0; i < 9; i++) {
      assertThat(gauge.tryEnter(i)).isNotEqualTo(ConcurrencyGauge.REFUSED);
    }
    gauge.limit(10);
    assertThat(gauge.tryEnter(0)).isEqualTo(ConcurrencyGauge.REFUSED);
  }

  @Test
  void entrantsOfDifferentStripesAreCountedApartUntilThereIsACeiling() {
    final ConcurrencyGauge gauge = new ConcurrencyGauge(2);
    assertThat(gauge.tryEnter(0)).isEqualTo(gauge.tryEnter(2)).isNotEqualTo(gauge.tryEnter(1));
    gauge.limit(0);
    assertThat(gauge.tryEnter(0)).isNotEqualTo(gauge.tryEnter(1));
    gauge.limit(10);
    assertThat(gauge.tryEnter(0)).isEqualTo(gauge.tryEnter(1));

    assertThat(gauge.running()).isEqualTo(7);
  }

  @Test
  void aSecondLeaveIsAnErrorAndMakesNoRoom() {
    for (final int stripes : new int[] {1, 2}) {
      final ConcurrencyGauge gauge = new ConcurrencyGauge(stripes);
      final int token = gauge.tryEnter(1);
      gauge.leave(token);

      assertThatThrownBy(() -> gauge.leave(token))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("more has left");
      assertThat(gauge.running()).isZero();
      gauge.limit(1);
      assertThat(gauge.tryEnter(1)).isNotEqualTo(ConcurrencyGauge.REFUSED);
      assertThat(gauge.tryEnter(1)).isEqualTo(ConcurrencyGauge.REFUSED);
    }
  }

  @Test
  void numbersThatMeanNothingAreRefused() {
    assertThatThrownBy(() -> new ConcurrencyGauge(0)).hasMessageContaining("not 0");
    assertThatThrownBy(() -> new ConcurrencyGauge().limit(-1)).hasMessageContaining("-1");
  }

  @Test
  @Tag("stress")
  void neverMoreThanTheCeilingRunsOnManyThreadsAlsoWhenItIsSetMeanwhile() throws Exception {
    final int ceiling = 2;
    final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < 200; round++) {
        final boolean setMeanwhile = round % 2 == 0;
        final ConcurrencyGauge gauge = new ConcurrencyGauge(setMeanwhile ? THREADS : 1);
        if (!setMeanwhile) {
          gauge.limit(ceiling);
        }
        final CyclicBarrier start = new CyclicBarrier(THREADS);
        final AtomicInteger limited = new AtomicInteger();
        final AtomicInteger mostInside = new AtomicInteger();
        final List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          final int thread = i;
          done.add(
              pool.submit(
                  () -> {
                    start.await();
                    if (setMeanwhile && thread == 0) {
                      gauge.limit(ceiling);
                    }
                    for (int k = 0; k < 200; k++) {
                      final int token = gauge.tryEnter(thread);
                      if (token != ConcurrencyGauge.REFUSED) {
                        // Whoever entered the one word entered under the ceiling.
                        if (token == 0) {
                          final int inside = limited.incrementAndGet();
                          mostInside.accumulateAndGet(inside, Math::max);
                          limited.decrementAndGet();
                        }
                        gauge.leave(token);
                      }
                    }
                    return null;
                  }));
        }
        for (final Future<?> one : done) {
          one.get();
        }
        assertThat(mostInside.get()).isLessThanOrEqualTo(ceiling);
        assertThat(gauge.running()).isZero();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
