package io.tollgrid.verification.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses that an owner who was deposed and writes on is found, whatever its version says. */
class WriterCheckTest {
  private static final Id128 ACCOUNT = new Id128(1, 1);
  private static final List<FenceRaise> RAISES =
      List.of(
          new FenceRaise(1, 3, 0, 1, "m1"),
          new FenceRaise(2, 4, 0, 1, "m2"),
          new FenceRaise(5, 3, 1, 2, "m2"));

  @Test
  void eachOwnerMayWriteInItsTime() {
    assertThat(
            check(new Written(ACCOUNT, 1, "m1", 2, false), new Written(ACCOUNT, 2, "m2", 5, false)))
        .isEmpty();
  }

  @Test
  void whoWasDeposedMayNot() {
    assertThat(check(new Written(ACCOUNT, 2, "m1", 5, false)))
        .extracting(Violation::kind)
        .containsExactly(Violation.Kind.WRITTEN_BY_ANOTHER);
  }

  @Test
  void whoIsNotYetOwnerMayNot() {
    assertThat(check(new Written(ACCOUNT, 1, "m2", 4, false))).hasSize(1);
    assertThat(check(new Written(ACCOUNT, 1, "m1", 0, false))).hasSize(1);
  }

  @Test
  void whoCannotKnowWhatItsStoreDidMayNotWriteOnUnderTheSameFence() {
    final Written unknown = new Written(ACCOUNT, 1, "m1", 2, true);

    assertThat(check(unknown, new Written(ACCOUNT, 2, "m1", 2, true))).isEmpty();
    assertThat(check(unknown, new Written(ACCOUNT, 2, "m2", 5, false))).isEmpty();
    assertThat(check(unknown, new Written(new Id128(1, 2), 2, "m1", 2, false))).isEmpty();
    assertThat(check(new Written(ACCOUNT, 2, "m1", 2, false), unknown))
        .extracting(Violation::kind)
        .containsExactly(Violation.Kind.FENCE_KEPT);
  }

  private static List<Violation> check(Written... writes) {
    return WriterCheck.check(RAISES, List.of(writes), account -> 3);
  }
}
