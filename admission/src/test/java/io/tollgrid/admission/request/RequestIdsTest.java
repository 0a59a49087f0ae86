package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Id128;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Witnesses R20: every request has an id of its own, a UUID of version 7 in the order of time. */
class RequestIdsTest {
  private static final long MILLI = 1_000_000L;

  private final RequestIds ids = new RequestIds(new Id128(3, 5));

  @Test
  void anIdIsAUuidOfVersionSevenThatBeginsWithItsTime() {
    for (final long millis : new long[] {0, 1, 1_764_500_000_000L}) {
      ids.next(millis * MILLI + MILLI - 1);
      final UUID id = new UUID(ids.high(), ids.low());

      assertThat(id.version()).isEqualTo(7);
      assertThat(id.variant()).isEqualTo(2);
      assertThat(ids.high() >>> 16).isEqualTo(millis);
    }
    ids.next(Long.MAX_VALUE);
    assertThat(ids.high() >>> 16).isEqualTo(Long.MAX_VALUE / MILLI);
  }

  @Test
  void aTimeBeforeTheEpochIsRefusedAndNoIdIsUsedUp() {
    final RequestIds same = new RequestIds(new Id128(3, 5));
    assertThatThrownBy(() -> ids.next(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 ns");
    ids.next(MILLI);
    same.next(MILLI);

    assertThat(ids.high()).isEqualTo(same.high());
    assertThat(ids.low()).isEqualTo(same.low());
  }

  /** The generator's published algorithm, by which both halves of an id are made. */
  @Test
  void theRestIsWhatTheGeneratorSays() {
    long s0 = 3;
    long s1 = 5;
    for (int i = 0; i < 100; i++) {
      ids.next(MILLI);
      for (final boolean high : new boolean[] {true, false}) {
        final long random = s0 + s1;
        final long mixed = s0 ^ s1;
        s0 = (s0 << 24 | s0 >>> 40) ^ mixed ^ (mixed << 16);
        s1 = mixed << 37 | mixed >>> 27;
        if (high) {
          assertThat(ids.high() & 0xFFF).isEqualTo(random >>> 52);
        } else {
          assertThat(ids.low() & (1L << 62) - 1).isEqualTo(random >>> 2);
        }
      }
    }
  }

  @Test
  void noSeedAtAllIsASeedToo() {
    for (final Id128 seed : new Id128[] {Id128.ZERO, new Id128(0, 7), new Id128(7, 0)}) {
      final RequestIds seeded = new RequestIds(seed);
      final Set<UUID> made = new HashSet<>();
      for (int i = 0; i < 1_000; i++) {
        seeded.next(MILLI);
        made.add(new UUID(seeded.high(), seeded.low()));
      }
      assertThat(made).hasSize(1_000);
    }
    final RequestIds one = new RequestIds(new Id128(0, 7));
    final RequestIds other = new RequestIds(new Id128(0, 1L << 40));
    one.next(MILLI);
    other.next(MILLI);
    assertThat(one.low()).isNotEqualTo(other.low());
  }
}
