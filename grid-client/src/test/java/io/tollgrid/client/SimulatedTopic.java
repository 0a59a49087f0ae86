package io.tollgrid.client;

import io.tollgrid.grid.Change;
import io.tollgrid.grid.ChangeFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Word of changes in virtual time: at times lost, late, or heard twice. */
final class SimulatedTopic implements ChangeFeed {
  /** What becomes of word, in chances of a thousand. */
  record Manners(int lost, int late, int twice) {
    static final Manners GOOD = new Manners(0, 0, 0);
    static final Manners BAD = new Manners(400, 150, 150);
    static final Manners SILENT = new Manners(1_000, 0, 0);
  }

  private static final long LATEST_NANOS = 3_000 * SimulatedFleet.MILLI;

  private final VirtualTime time;
  private final SplittableRandom random;
  private final FleetCoverage coverage;
  private final List<Listener> listeners = new ArrayList<>();
  private Manners manners = Manners.GOOD;

  SimulatedTopic(VirtualTime time, SplittableRandom random, FleetCoverage coverage) {
    this.time = time;
    this.random = random;
    this.coverage = coverage;
  }

  void manners(Manners next) {
    manners = next;
  }

  Manners manners() {
    return manners;
  }

  @Override
  public void publish(Change change) {
    for (final Listener listener : List.copyOf(listeners)) {
      final int luck = random.nextInt(1_000);
      if (luck >= 1_000 - manners.lost()) {
        coverage.saw(FleetScenario.WORD_LOST);
        if (random.nextBoolean()) {
          deliver(listener, Listener::lost);
        }
      } else if (luck < manners.twice()) {
        coverage.saw(FleetScenario.WORD_TWICE);
        deliver(listener, heard -> heard.changed(change));
        deliver(listener, heard -> heard.changed(change));
      } else {
        deliver(listener, heard -> heard.changed(change));
      }
    }
  }

  private void deliver(Listener listener, Consumer<Listener> word) {
    final boolean late = random.nextInt(1_000) < manners.late();
    final long pause = random.nextLong(late ? LATEST_NANOS : 5 * SimulatedFleet.MILLI);
    time.after(
        pause,
        () -> {
          if (listeners.contains(listener)) {
            word.accept(listener);
          }
        });
  }

  @Override
  public Subscription subscribe(Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }
}
