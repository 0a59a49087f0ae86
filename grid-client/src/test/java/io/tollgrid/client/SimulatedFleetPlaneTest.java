package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Witnesses R1, R10, R18, R20, R35, R36, R37, R38, R39, R41, R44 and R55 over whole fleets: some
 * seeds of the simulation, the rules held up after every event.
 */
class SimulatedFleetPlaneTest {
  private static final int SEEDS = 12;
  private static final int EVENTS = 400;
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.tollgrid.client");

  /** Instances are made to deny and to fail all the time, and would say so each time. */
  @BeforeAll
  static void hush() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  @Test
  void noEventOfAnySeedBreaksARule() {
    final List<String> broken = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      final FleetSimulation.Run run = FleetSimulation.draw(seed, EVENTS);
      if (run.detail() != null) {
        FleetSimulation.replay(seed, run.events(), broken::add);
        broken.add("seed " + seed + " broke " + run.detail());
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void aSeedAlwaysDoesTheSame() {
    final List<String> first = new ArrayList<>();
    final List<String> second = new ArrayList<>();
    final FleetSimulation.Run drawn = FleetSimulation.draw(3, 200);

    final FleetSimulation.Run once = FleetSimulation.replay(3, drawn.events(), first::add);
    final FleetSimulation.Run again = FleetSimulation.replay(3, drawn.events(), second::add);

    assertThat(again).isEqualTo(once).isEqualTo(drawn);
    assertThat(second).isEqualTo(first).isNotEmpty();
  }
}
