package io.tollgrid.admission.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Witnesses R50: denials are data, by account, principal, reason and minute, bounded. */
@Timeout(60)
class DenialMinutesTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final Id128 ACCOUNT = new Id128(0, 1);
  private static final Id128 ADA = new Id128(0, 2);

  private final DenialMinutes minutes = new DenialMinutes(64);

  @Test
  void aMinuteIsHandedOutOnceItIsOver() {
    record(ADA, Denial.NO_LEASE, 5, MINUTE);
    record(ADA, Denial.NO_LEASE, 7, 2 * MINUTE - 1);
    record(ADA, Denial.NO_LEASE, 9, 2 * MINUTE);
    record(ADA, Denial.RATE_LIMITED, 1, MINUTE);

    assertThat(drained(2 * MINUTE))
        .containsExactlyInAnyOrder(
            new DenialMinutes.Entry(ACCOUNT, ADA, Denial.NO_LEASE, 1, 2, 7),
            new DenialMinutes.Entry(ACCOUNT, ADA, Denial.RATE_LIMITED, 1, 1, 1));
    assertThat(drained(2 * MINUTE)).isEmpty();
    assertThat(drained(3 * MINUTE))
        .containsExactly(new DenialMinutes.Entry(ACCOUNT, ADA, Denial.NO_LEASE, 2, 1, 9));
  }

  @Test
  void whatFindsNoPlaceIsCountedAsDropped() {
    for (int principal = 0; principal < 10_000; principal++) {
      record(new Id128(1, principal), Denial.NO_LEASE, 1, 0);
    }

    final long kept = drained(MINUTE).stream().mapToLong(DenialMinutes.Entry::count).sum();
    assertThat(kept).isBetween(1L, 64L);
    assertThat(minutes.dropped()).isEqualTo(10_000 - kept);
  }

  @Test
  @Tag("stress")
  void nothingIsCountedTwiceOrForAnotherWhileItIsDrained() throws InterruptedException {
    final int each = 200_000;
    final AtomicLong drained = new AtomicLong();
    final List<Thread> recorders = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      final int number = i;
      recorders.add(
          new Thread(
              () -> {
                for (int n = 0; n < each; n++) {
                  record(new Id128(number, n % 50), Denial.NO_LEASE, number, n / 100 * MINUTE);
                }
              }));
    }
    recorders.forEach(Thread::start);
    while (recorders.stream().anyMatch(Thread::isAlive)) {
      minutes.drain(Long.MAX_VALUE, entry -> take(entry, drained));
    }
    minutes.drain(Long.MAX_VALUE, entry -> take(entry, drained));

    assertThat(drained.get() + minutes.dropped()).isEqualTo(2L * each);
  }

  private static void take(final DenialMinutes.Entry entry, final AtomicLong drained) {
    assertThat(entry.lastQuoteUnits()).isEqualTo(entry.principal().high());
    drained.addAndGet(entry.count());
  }

  @Test
  void roomIsAPowerOfTwo() {
    assertThatThrownBy(() -> new DenialMinutes(12)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DenialMinutes(4)).isInstanceOf(IllegalArgumentException.class);
    final DenialMinutes smallest = new DenialMinutes(8);
    for (int principal = 0; principal < 8; principal++) {
      smallest.record(ACCOUNT, new Id128(1, principal), Denial.NO_LEASE, 1, 0);
    }
    assertThat(smallest.dropped()).as("every place is looked at").isZero();
  }

  private List<DenialMinutes.Entry> drained(final long nowNanos) {
    final List<DenialMinutes.Entry> entries = new ArrayList<>();
    minutes.drain(nowNanos, entries::add);
    return entries;
  }

  private void record(
      final Id128 principal, final Denial denial, final long quote, final long nowNanos) {
    minutes.record(ACCOUNT, principal, denial, quote, nowNanos);
  }
}
