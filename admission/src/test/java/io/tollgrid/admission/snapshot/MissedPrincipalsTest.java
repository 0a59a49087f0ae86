package io.tollgrid.admission.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R34 and R38: what requests ask for in vain is told without making them wait, once, and
 * in bounded room.
 */
class MissedPrincipalsTest {
  private final AtomicInteger rung = new AtomicInteger();
  private final MissedPrincipals missed = new MissedPrincipals(rung::incrementAndGet);

  @Test
  void aPrincipalIsToldOnceHoweverOftenItWasAskedFor() {
    final Id128 principal = new Id128(3, 4);
    missed.note(principal);
    missed.note(principal);

    assertThat(rung).hasValue(1);
    assertThat(missed.drain()).containsExactly(principal);
    assertThat(missed.drain()).isEmpty();
    missed.note(principal);
    assertThat(missed.drain()).containsExactly(principal);
  }

  @Test
  void aFloodIsBounded() {
    final SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      missed.note(new Id128(random.nextLong(), random.nextLong()));
    }

    assertThat(missed.drain()).hasSizeBetween(200, 256);
    assertThat(rung.get()).isLessThanOrEqualTo(256);
  }

  @Test
  @Timeout(60)
  void nothingIsToldThatWasNotAskedFor() throws InterruptedException {
    final AtomicBoolean done = new AtomicBoolean();
    final Set<Id128> asked = new HashSet<>();
    final List<Thread> askers = new ArrayList<>();
    for (int asker = 1; asker <= 3; asker++) {
      final SplittableRandom random = new SplittableRandom(asker);
      final List<Id128> mine = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        final long word = random.nextLong();
        mine.add(new Id128(word, word));
      }
      asked.addAll(mine);
      askers.add(new Thread(() -> mine.forEach(missed::note)));
    }
    final Set<Id128> told = new HashSet<>();
    final Thread drain =
        new Thread(
            () -> {
              while (!done.get()) {
                told.addAll(missed.drain());
              }
              told.addAll(missed.drain());
            });
    drain.start();
    askers.forEach(Thread::start);
    for (final Thread asker : askers) {
      asker.join();
    }
    done.set(true);
    drain.join();

    assertThat(told).isNotEmpty().isSubsetOf(asked);
  }
}
