package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Witnesses R2: what is noted beside a ledger about units that are needed, and for how long. */
class RecallTest {
  private static final Id128 ONE = new Id128(1, 1);
  private static final Id128 OTHER = new Id128(2, 2);
  private static final long LIFE = 50;

  @Test
  void anUnmetQuoteIsNotedWithWhoAskedAndFromWhen() {
    assertThat(afterAcquire(null, ONE, 7, 100)).isEqualTo(new Recall(7, ONE, 100, 150));
    assertThat(afterFold(null, ONE, 7, 100)).isEqualTo(new Recall(7, ONE, 100, 150));
  }

  @Test
  void aQuoteThatWasMetLeavesNothingBehind() {
    assertThat(afterAcquire(null, ONE, 0, 100)).isNull();
    assertThat(afterFold(new Recall(7, ONE, 90, 140), ONE, 0, 100)).isNull();
  }

  @Test
  void aLargerQuoteOfAnotherIsNotedInPlaceOfASmallerOneAndCountsFromTheFirst() {
    final Recall kept = new Recall(7, OTHER, 90, 140);
    assertThat(afterAcquire(kept, ONE, 8, 100)).isEqualTo(new Recall(8, ONE, 90, 150));
    assertThat(afterAcquire(kept, ONE, 7, 100)).isSameAs(kept);
    assertThat(afterAcquire(kept, ONE, 0, 100)).isSameAs(kept);
  }

  @Test
  void whoAsksAgainProlongsAndMayAskForLess() {
    final Recall kept = new Recall(7, ONE, 90, 140);
    assertThat(afterAcquire(kept, ONE, 7, 139)).isEqualTo(new Recall(7, ONE, 90, 189));
    assertThat(afterAcquire(kept, ONE, 3, 100)).isEqualTo(new Recall(3, ONE, 90, 150));
  }

  @Test
  void whatIsOutOfDateCountsForNothing() {
    final Recall kept = new Recall(7, OTHER, 90, 100);
    assertThat(afterAcquire(kept, ONE, 1, 99)).isSameAs(kept);
    assertThat(afterAcquire(kept, ONE, 1, 100)).isEqualTo(new Recall(1, ONE, 100, 150));
    assertThat(afterAcquire(kept, ONE, 0, 100)).isNull();
    assertThat(after(kept, new LedgerCommand.Deposit(ONE, 1), 0, 100)).isNull();
  }

  @Test
  void commandsThatAskForNoUnitsLeaveItAsItIs() {
    final Recall kept = new Recall(7, ONE, 90, 140);
    assertThat(after(kept, new LedgerCommand.Deposit(OTHER, 1), 0, 100)).isSameAs(kept);
    assertThat(after(kept, new LedgerCommand.Return(OTHER, 1, 1, 5), 0, 100)).isSameAs(kept);
  }

  private static @Nullable Recall afterAcquire(
      @Nullable Recall kept, Id128 asker, long unmetUnits, long nowNanos) {
    return after(
        kept,
        new LedgerCommand.Acquire(new Id128(9, 9), asker, GrantPolicy.of(1, 2), 1, unmetUnits),
        unmetUnits,
        nowNanos);
  }

  private static @Nullable Recall afterFold(
      @Nullable Recall kept, Id128 asker, long unmetUnits, long nowNanos) {
    return after(
        kept,
        new LedgerCommand.Consolidate(
            new Id128(9, 9), asker, new Id128(8, 8), 1, 0, GrantPolicy.of(1, 2), 1, unmetUnits),
        unmetUnits,
        nowNanos);
  }

  private static @Nullable Recall after(
      @Nullable Recall kept, LedgerCommand command, long unmetUnits, long nowNanos) {
    final Effects effects =
        Effects.check(
            new LedgerRequest(new Id128(5, 5), "test", Long.MAX_VALUE, command),
            new Outcome.Refused(Refusal.BALANCE_INSUFFICIENT, null),
            1,
            nowNanos,
            Set.of(),
            Map.of());
    return Recall.after(kept, effects, unmetUnits, LIFE);
  }
}
