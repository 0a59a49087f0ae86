package io.tollgrid.admission.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses R42: what a process knows by name is bounded, and a name is a name everywhere. */
class CatalogueTest {
  private static final String LONGEST = "x".repeat(64);

  private final Catalogue catalogue = new Catalogue();

  @Test
  void aNameIsNumberedOnceAndInTheOrderInWhichItCame() {
    final Operation first = catalogue.operation("chat");
    assertThat(first.index()).isZero();
    assertThat(first.name()).isEqualTo("chat");
    assertThat(first).hasToString("operation chat");
    assertThat(catalogue.operation("embed").index()).isEqualTo(1);
    assertThat(catalogue.operation("chat")).isSameAs(first);

    final Route route = catalogue.route("chat");
    assertThat(route.index()).isZero();
    assertThat(route.name()).isEqualTo("chat");
    assertThat(route).hasToString("route chat");
    assertThat(catalogue.route("chat")).isSameAs(route);

    assertThat(catalogue.meter("tokens")).isZero();
    assertThat(catalogue.meter("calls")).isEqualTo(1);
    assertThat(catalogue.meter("tokens")).isZero();
    assertThat(catalogue.meterName(1)).isEqualTo("calls");
  }

  @Test
  void aSetOfMetersIsItsBitsAndNoneAtAllIsEveryOne() {
    final List<String> names = new ArrayList<>();
    for (int i = 0; i < Catalogue.MAX_METERS; i++) {
      names.add("m" + i);
      assertThat(catalogue.meterSet(List.of("m" + i))).isEqualTo(1L << i);
    }
    assertThat(catalogue.meterSet(List.of("m0", "m63", "m0"))).isEqualTo(1L << 63 | 1);
    assertThat(catalogue.meterSet(names)).isEqualTo(-1);
    assertThat(catalogue.meterSet(List.of())).isEqualTo(-1);
  }

  @Test
  void thereIsNoRoomForMoreThanTheBoundAndTheNameSaysSo() {
    for (int i = 0; i < Catalogue.MAX_METERS; i++) {
      catalogue.meter("m" + i);
    }
    for (int i = 0; i < Catalogue.MAX_NAMES; i++) {
      catalogue.operation("o" + i);
      catalogue.route("r" + i);
    }
    assertThatThrownBy(() -> catalogue.meter("more"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("meter more")
        .hasMessageContaining("64");
    assertThatThrownBy(() -> catalogue.operation("more"))
        .hasMessageContaining("operation more")
        .hasMessageContaining("4096");
    assertThatThrownBy(() -> catalogue.route("more")).hasMessageContaining("route more");
    assertThat(catalogue.operation("o7").index()).isEqualTo(7);
  }

  @Test
  void aNameHasOneToSixtyFourPrintableCharacters() {
    assertThatCode(() -> catalogue.route(LONGEST)).doesNotThrowAnyException();
    assertThatCode(() -> catalogue.route("päth 👍")).doesNotThrowAnyException();
    assertThatThrownBy(() -> catalogue.route(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("route");
    assertThatThrownBy(() -> catalogue.operation(LONGEST + "x"))
        .hasMessageContaining("operation")
        .hasMessageContaining("65");
  }

  @Test
  void aNameThatCannotBeRecordedIsNoName() {
    for (final String name : List.of("a\nb", "a\u0000", "\u009f", "a\ud800", "\udc00a")) {
      assertThatThrownBy(() -> catalogue.meter(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("meter")
          .hasMessageNotContainingAny("\n", "\u0000");
    }
    assertThatThrownBy(() -> catalogue.meter("a\nb")).hasMessageEndingWith("the 3 of a?b");
    assertThat(catalogue.meter("a")).isZero();
  }
}
