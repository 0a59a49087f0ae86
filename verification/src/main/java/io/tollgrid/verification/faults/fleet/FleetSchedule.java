package io.tollgrid.verification.faults.fleet;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What happens to a fleet, in which order, with which pauses: every kind of event once, more of
 * some, drawn from a seed.
 *
 * @param seed the seed
 * @param steps the events in order
 */
record FleetSchedule(long seed, List<Step> steps) {
  /**
   * One event.
   *
   * @param event what happens
   * @param afterMillis how long after the end of the one before
   * @param choice what it happens to, to be taken modulo
   */
  record Step(FleetEvent event, long afterMillis, int choice) {
    @Override
    public String toString() {
      return "+" + afterMillis + "ms " + event + "(" + choice % 1_000 + ")";
    }
  }

  private static final int LONGEST_PAUSE_MILLIS = 900;
  private static final int EXTRA = 3;

  FleetSchedule {
    steps = List.copyOf(steps);
  }

  /** The schedule of a seed. */
  static FleetSchedule draw(long seed) {
    final Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    final List<FleetEvent> events = new ArrayList<>(List.of(FleetEvent.values()));
    // Takeovers take their time; half of the schedules, of either mode, do without.
    if (seed / 2 % 2 == 0) {
      events.remove(FleetEvent.KILL_MEMBER);
    }
    for (int i = 0; i < EXTRA; i++) {
      events.add(
          List.of(FleetEvent.DEPOSIT, FleetEvent.REVOKE, FleetEvent.SUSPEND, FleetEvent.RESCHEDULE)
              .get(random.nextInt(4)));
    }
    Collections.shuffle(events, random);
    final List<Step> steps = new ArrayList<>();
    for (final FleetEvent event : events) {
      steps.add(
          new Step(
              event,
              100 + random.nextInt(LONGEST_PAUSE_MILLIS),
              random.nextInt(Integer.MAX_VALUE)));
    }
    return new FleetSchedule(seed, steps);
  }
}
