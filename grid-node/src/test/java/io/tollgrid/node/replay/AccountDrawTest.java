package io.tollgrid.node.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Witnesses that a replay is reproducible: seed, row and number of accounts decide the account. */
class AccountDrawTest {
  @Test
  void theFirstRowsOfAKnownSeedBelongToKnownAccounts() {
    final AccountDraw draw = new AccountDraw(7, 200);

    assertThat(
            new int[] {
              draw.rankOf(0), draw.rankOf(1), draw.rankOf(2), draw.rankOf(3), draw.rankOf(4)
            })
        .containsExactly(4, 1, 94, 11, 5);
  }

  @Test
  void ranksFollowTheirWeights() {
    final AccountDraw draw = new AccountDraw(1, 10);
    final int rows = 200_000;
    final int[] counts = new int[11];
    for (int i = 0; i < rows; i++) {
      counts[draw.rankOf(i)]++;
    }

    double total = 0;
    for (int rank = 1; rank <= 10; rank++) {
      total += Math.pow(rank, -1.1);
    }
    for (int rank = 1; rank <= 10; rank++) {
      assertThat(counts[rank] / (double) rows)
          .isCloseTo(Math.pow(rank, -1.1) / total, within(0.005));
    }
  }

  @Test
  void oneAccountTakesEverything() {
    final AccountDraw draw = new AccountDraw(-1, 1);

    for (int i = 0; i < 1_000; i++) {
      assertThat(draw.rankOf(i)).isEqualTo(1);
    }
    assertThatThrownBy(() -> new AccountDraw(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
