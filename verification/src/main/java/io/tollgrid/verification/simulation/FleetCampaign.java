package io.tollgrid.verification.simulation;

import io.tollgrid.client.FleetEvent;
import io.tollgrid.client.FleetSimulation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many seeds of the fleet plane, a few at a time; what breaks a rule is shrunk.
 *
 * <p>The plane itself, real instances around ledgers and an authority in memory, is a test class of
 * the module whose instances it runs.
 */
public final class FleetCampaign {
  /** Events from which on every cell of the coverage table must have been reached. */
  public static final long FULL_COVERAGE_EVENTS = 40_000;

  /** Findings after which no more seeds are begun: they would tell the same. */
  private static final int MAX_FINDINGS = 3;

  /** Lists one shrinking may try. */
  private static final int SHRINK_BUDGET = 400;

  /** Told after each seed, by the thread that ran it. */
  @FunctionalInterface
  public interface Progress {
    /** So many seeds are done, and so many of them broke a rule. */
    void seedsDone(int runs, int findings);
  }

  private final long firstSeed;
  private final int seeds;
  private final int eventsPerSeed;
  private final Progress progress;
  private final AtomicInteger taken = new AtomicInteger();
  private final Map<String, Long> coverage = new LinkedHashMap<>();
  private final List<String> traces = new ArrayList<>();
  private int runs;
  private long events;

  /**
   * A campaign.
   *
   * @param firstSeed the first seed
   * @param seeds how many, one after another
   * @param eventsPerSeed events to draw for each
   */
  public FleetCampaign(long firstSeed, int seeds, int eventsPerSeed, Progress progress) {
    this.firstSeed = firstSeed;
    this.seeds = seeds;
    this.eventsPerSeed = eventsPerSeed;
    this.progress = progress;
  }

  /** Runs every seed on this many threads and reports. */
  public FleetReport run(int threads) throws InterruptedException {
    Campaign.inParallel(threads, this::work);
    synchronized (this) {
      return new FleetReport(runs, events, coverage, traces);
    }
  }

  private void work() {
    for (int at = taken.getAndIncrement(); at < seeds; at = taken.getAndIncrement()) {
      final long seed = firstSeed + at;
      final FleetSimulation.Run run = FleetSimulation.draw(seed, eventsPerSeed);
      final String finding = run.finding();
      add(run, finding == null ? List.of() : List.of(trace(seed, run, finding)));
    }
  }

  private synchronized void add(FleetSimulation.Run run, List<String> found) {
    runs++;
    events += run.events().size();
    run.coverage().forEach((cell, count) -> coverage.merge(cell, count, Long::sum));
    traces.addAll(found);
    if (traces.size() >= MAX_FINDINGS) {
      taken.set(seeds);
    }
    progress.seedsDone(runs, traces.size());
  }

  private String trace(long seed, FleetSimulation.Run run, String finding) {
    final List<FleetEvent> shrunk =
        new Shrinker(SHRINK_BUDGET)
            .shrink(
                run.events(),
                list -> finding.equals(FleetSimulation.replay(seed, list, line -> {}).finding()));
    final StringBuilder text = new StringBuilder();
    final FleetSimulation.Run again =
        FleetSimulation.replay(seed, shrunk, line -> text.append("  ").append(line).append('\n'));
    return "fleet plane: seed "
        + seed
        + " broke "
        + again.detail()
        + "\n"
        + text
        + "again: ./tollgrid simulate --seed "
        + seed
        + " --events "
        + eventsPerSeed;
  }
}
