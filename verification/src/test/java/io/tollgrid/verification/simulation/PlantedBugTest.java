package io.tollgrid.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R53 for the simulation: each bug that is planted is found, so that finding none means
 * something. A check that is taken out of the audit turns one of these red.
 */
class PlantedBugTest {
  /** A trace longer than this is not one a person would read. */
  private static final int READABLE_EVENTS = 40;

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  @Tag("slow")
  void isFoundAndShrunkToATraceThatIsHarmlessWithoutIt(PlantedBug bug) {
    final PlantedReport report = PlantedSearch.search(bug);

    assertThat(report.found()).as(report.summary()).isTrue();
    final List<Event> events = report.finding().events();
    assertThat(events).hasSizeBetween(1, READABLE_EVENTS);
    assertThat(report.trace()).hasSizeGreaterThanOrEqualTo(events.size());
    assertThat(report.violation()).isNotEmpty();
    assertThat(Simulation.replay(events, true, Defects.NONE, null)).isNull();
  }

  @Test
  void eachBugIsTheDefectOfItsName() throws ReflectiveOperationException {
    for (final PlantedBug bug : PlantedBug.values()) {
      assertThat(planted(bug.defects())).as(bug.label()).hasSize(1);
    }
    assertThat(planted(Defects.NONE)).isEmpty();
    assertThat(planted(PlantedBug.NO_VERSION_CHECK.defects())).containsExactly("noVersionCheck");
    assertThat(planted(PlantedBug.CREDIT_ON_RECLAIM.defects())).containsExactly("creditOnReclaim");
    assertThat(planted(PlantedBug.WRITER_ID_REUSED.defects())).containsExactly("writerIdReused");
  }

  @Test
  void theNamesAreThoseReportsUse() {
    final Map<String, PlantedBug> byLabel =
        List.of(PlantedBug.values()).stream()
            .collect(Collectors.toMap(PlantedBug::label, Function.identity()));

    assertThat(byLabel)
        .hasSize(11)
        .containsKeys(
            "no version check",
            "no fence check",
            "answers unchecked",
            "fence kept after an unknown outcome",
            "unknown treated as failed",
            "reinstated after an unknown consolidation",
            "upsert instead of insert",
            "credit on reclaim",
            "acknowledge before commit",
            "schedule now retried",
            "writer id reused");
  }

  private static List<String> planted(Defects defects) throws ReflectiveOperationException {
    final List<String> planted = new ArrayList<>();
    for (final RecordComponent component : Defects.class.getRecordComponents()) {
      if ((boolean) component.getAccessor().invoke(defects)) {
        planted.add(component.getName());
      }
    }
    return planted;
  }
}
