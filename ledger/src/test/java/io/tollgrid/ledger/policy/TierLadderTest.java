package io.tollgrid.ledger.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.policy.TierLadder.Rung;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Witnesses R51: no amount falls between rungs or below the floor. */
class TierLadderTest {
  private static final TierLadder LADDER =
      new TierLadder(List.of(new Rung(0, "none"), new Rung(10, "some"), new Rung(1_000, "much")));

  @Test
  void aRungBeginsExactlyWhereItSays() {
    assertThat(LADDER.tier(0)).isEqualTo("none");
    assertThat(LADDER.tier(9)).isEqualTo("none");
    assertThat(LADDER.tier(10)).isEqualTo("some");
    assertThat(LADDER.tier(999)).isEqualTo("some");
    assertThat(LADDER.tier(1_000)).isEqualTo("much");
    assertThat(LADDER.tier(Long.MAX_VALUE)).isEqualTo("much");
    assertThat(LADDER.floor()).isEqualTo("none");
  }

  @Property
  void moreFundingIsNeverALowerTier(
      @ForAll @LongRange(min = 0) long less, @ForAll @LongRange(min = 0) long more) {
    final List<String> order = List.of("none", "some", "much");
    assertThat(order.indexOf(LADDER.tier(Math.max(less, more))))
        .isGreaterThanOrEqualTo(order.indexOf(LADDER.tier(Math.min(less, more))));
  }

  @Test
  void aLadderHasAFloorAndRises() {
    for (final List<Rung> rungs :
        List.of(
            List.<Rung>of(),
            List.of(new Rung(1, "some")),
            List.of(new Rung(0, "none"), new Rung(0, "some")),
            List.of(new Rung(0, "none"), new Rung(10, "some"), new Rung(9, "much")))) {
      assertThatThrownBy(() -> new TierLadder(rungs))
          .as("%s", rungs)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new Rung(-1, "none")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Rung(0, "")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LADDER.tier(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
