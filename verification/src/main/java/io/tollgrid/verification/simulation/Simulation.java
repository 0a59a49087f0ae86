package io.tollgrid.verification.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of the fleet, drawn from a seed or replayed from a list of events. */
final class Simulation {
  /** Events that may mean nothing before a run gives up looking for steps. */
  private static final int EVENTS_PER_STEP = 20;

  /**
   * What a run came to.
   *
   * @param steps events that changed something or were refused, the way to rest included
   * @param events those among the drawn events that happened, in order; with the one that broke a
   *     rule as the last
   * @param coverage what was reached
   * @param violation the rule that was broken, or null
   * @param atRest whether it was broken after the drawn events, on the way to rest
   */
  record Run(
      long steps,
      List<Event> events,
      Coverage coverage,
      @Nullable Violation violation,
      boolean atRest) {}

  private Simulation() {}

  /** Runs a seed for this many steps and then to rest. */
  static Run draw(long seed, int steps, Defects defects) {
    final Coverage coverage = new Coverage();
    final Fleet fleet = new Fleet(defects, coverage, null);
    final EventChooser chooser = new EventChooser(fleet, seed);
    final List<Event> happened = new ArrayList<>();
    try {
      for (long drawn = 0;
          fleet.steps() < steps && drawn < (long) steps * EVENTS_PER_STEP;
          drawn++) {
        final Event event = chooser.next();
        happened.add(event);
        if (!fleet.execute(event)) {
          happened.remove(happened.size() - 1);
        }
      }
    } catch (Violation violation) {
      return new Run(fleet.steps(), happened, coverage, violation, false);
    }
    try {
      Quiescence.settle(fleet);
    } catch (Violation violation) {
      return new Run(fleet.steps(), happened, coverage, violation, true);
    }
    return new Run(fleet.steps(), happened, coverage, null, false);
  }

  /** Runs these events, and then to rest if told so; a narrator hears what each led to. */
  static @Nullable Violation replay(
      List<Event> events, boolean toRest, Defects defects, @Nullable Consumer<String> narrator) {
    final Fleet fleet = new Fleet(defects, new Coverage(), narrator);
    try {
      for (final Event event : events) {
        fleet.execute(event);
      }
      if (toRest) {
        Quiescence.settle(fleet);
      }
      return null;
    } catch (Violation violation) {
      return violation;
    }
  }
}
