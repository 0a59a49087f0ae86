package io.tollgrid.mapstore.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Id128;
import org.junit.jupiter.api.Test;

/** Ids order as PostgreSQL orders them: unsigned, the higher half first. */
class AccountRangeTest {
  @Test
  void theNextRangeBeginsWithTheNextId() {
    assertThat(range(0, 0, 7, 9).next()).isEqualTo(new Id128(7, 10));
    assertThat(range(0, 0, 7, Long.MAX_VALUE).next()).isEqualTo(new Id128(7, Long.MIN_VALUE));
    assertThat(range(0, 0, 7, -1).next()).isEqualTo(new Id128(8, 0));
    assertThat(range(0, 0, Long.MAX_VALUE, -1).next()).isEqualTo(new Id128(Long.MIN_VALUE, 0));
  }

  @Test
  void behindTheGreatestIdThereIsNothing() {
    assertThat(AccountRange.ALL.endsAll()).isTrue();
    assertThat(range(0, 0, -1, -2).endsAll()).isFalse();
    assertThatThrownBy(AccountRange.ALL::next).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void itHoldsItsEndsAndWhatIsBetween() {
    final AccountRange range = range(7, -1, 9, 1);

    assertThat(range.contains(new Id128(7, -2))).isFalse();
    assertThat(range.contains(new Id128(7, -1))).isTrue();
    assertThat(range.contains(new Id128(8, Long.MIN_VALUE))).isTrue();
    assertThat(range.contains(new Id128(9, 1))).isTrue();
    assertThat(range.contains(new Id128(9, 2))).isFalse();
    assertThat(range.contains(new Id128(-1, 0))).isFalse();
    assertThatThrownBy(() -> range(2, 0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  private static AccountRange range(long firstHigh, long firstLow, long lastHigh, long lastLow) {
    return new AccountRange(new Id128(firstHigh, firstLow), new Id128(lastHigh, lastLow));
  }
}
