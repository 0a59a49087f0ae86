package io.tollgrid.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Witnesses that a seed is a run: the same one twice gives the same trace, and a trace alone gives
 * the same run again. Without that no finding could be looked at twice (R53).
 */
class RepeatabilityTest {
  private static final int STEPS = 1_500;

  @Test
  void theSameSeedGivesTheSameTrace() {
    final Simulation.Run once = Simulation.draw(11, STEPS, Defects.NONE);
    final Simulation.Run again = Simulation.draw(11, STEPS, Defects.NONE);

    assertThat(again.events()).isEqualTo(once.events());
    assertThat(again.steps()).isEqualTo(once.steps());
    assertThat(again.coverage().cells()).isEqualTo(once.coverage().cells());
  }

  @Test
  void anotherSeedGivesAnother() {
    assertThat(Simulation.draw(12, STEPS, Defects.NONE).events())
        .isNotEqualTo(Simulation.draw(11, STEPS, Defects.NONE).events());
  }

  @Test
  void aTraceReplayedTellsTheSameStory() {
    final List<Event> events = Simulation.draw(13, STEPS, Defects.NONE).events();

    assertThat(story(events)).isEqualTo(story(events)).hasSizeGreaterThan(events.size());
  }

  @Test
  void aFindingReplayedIsTheSameFinding() {
    final Defects defects = PlantedBug.ACKNOWLEDGED_BEFORE_COMMIT.defects();
    final Simulation.Run run = Simulation.draw(1, STEPS, defects);
    final Violation found = run.violation();

    assertThat(found).isNotNull();
    assertThat(Simulation.replay(run.events(), false, defects, null).sameFinding(found)).isTrue();
  }

  @Test
  void seedsDoNotDependOnWhatRunsBesideThem() throws InterruptedException {
    final CampaignReport alone = new Campaign(21, 4, STEPS, progress -> {}).run(1);
    final CampaignReport together = new Campaign(21, 4, STEPS, progress -> {}).run(4);

    assertThat(together.coverage()).isEqualTo(alone.coverage());
    assertThat(together.steps()).isEqualTo(alone.steps());
  }

  private static List<String> story(List<Event> events) {
    final List<String> lines = new ArrayList<>();
    assertThat(Simulation.replay(events, false, Defects.NONE, lines::add)).isNull();
    return lines;
  }
}
