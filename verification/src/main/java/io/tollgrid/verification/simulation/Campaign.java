package io.tollgrid.verification.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Many seeds, a few at a time: each is run in one thread from beginning to end, so what a seed does
 * does not depend on how many run beside it.
 */
public final class Campaign {
  /** Steps from which on every cell of the coverage table must have been reached. */
  public static final long FULL_COVERAGE_STEPS = 1_500_000;

  /** Steps from which on no sum of the coverage table may be zero. */
  public static final long COARSE_COVERAGE_STEPS = 100_000;

  /** Findings after which no more seeds are begun: they would tell the same. */
  private static final int MAX_FINDINGS = 3;

  private final long firstSeed;
  private final int seeds;
  private final int stepsPerSeed;
  private final Consumer<Progress> progress;
  private final AtomicInteger taken = new AtomicInteger();
  private final Coverage coverage = new Coverage();
  private final List<Finding> findings = new ArrayList<>();
  private int runs;
  private long steps;

  /**
   * A campaign.
   *
   * @param firstSeed the first seed
   * @param seeds how many, one after another
   * @param stepsPerSeed steps to draw for each
   * @param progress told after each seed, by the thread that ran it
   */
  public Campaign(long firstSeed, int seeds, int stepsPerSeed, Consumer<Progress> progress) {
    this.firstSeed = firstSeed;
    this.seeds = seeds;
    this.stepsPerSeed = stepsPerSeed;
    this.progress = progress;
  }

  /**
   * How far a campaign is.
   *
   * @param runs seeds done
   * @param steps steps checked
   * @param findings rules seen broken
   */
  public record Progress(int runs, long steps, int findings) {}

  /** Runs every seed on this many threads and reports. */
  public CampaignReport run(int threads) throws InterruptedException {
    inParallel(threads, this::work);
    return report();
  }

  /**
   * Looks for every planted bug, on this many threads.
   *
   * @param progress told of each search as it ends
   */
  public static List<PlantedReport> plant(int threads, Consumer<PlantedReport> progress)
      throws InterruptedException {
    final PlantedBug[] bugs = PlantedBug.values();
    final AtomicInteger next = new AtomicInteger();
    final List<PlantedReport> reports = new ArrayList<>();
    inParallel(
        threads,
        () -> {
          for (int at = next.getAndIncrement(); at < bugs.length; at = next.getAndIncrement()) {
            final PlantedReport report = PlantedSearch.search(bugs[at]);
            synchronized (reports) {
              reports.add(report);
              progress.accept(report);
            }
          }
        });
    reports.sort(Comparator.comparing(PlantedReport::bug));
    return reports;
  }

  private void work() {
    for (int at = taken.getAndIncrement(); at < seeds; at = taken.getAndIncrement()) {
      final long seed = firstSeed + at;
      final Simulation.Run run = Simulation.draw(seed, stepsPerSeed, Defects.NONE);
      final Violation violation = run.violation();
      final @Nullable Finding finding =
          violation == null ? null : Finding.of(seed, stepsPerSeed, run, violation, Defects.NONE);
      add(run, finding);
    }
  }

  private synchronized void add(Simulation.Run run, @Nullable Finding finding) {
    runs++;
    steps += run.steps();
    coverage.add(run.coverage());
    if (finding != null) {
      findings.add(finding);
      if (findings.size() >= MAX_FINDINGS) {
        taken.set(seeds);
      }
    }
    progress.accept(new Progress(runs, steps, findings.size()));
  }

  private synchronized CampaignReport report() {
    findings.sort(Comparator.comparingLong(Finding::seed));
    return new CampaignReport(runs, steps, coverage, findings);
  }

  /** Does {@code work} on so many threads and waits for all of them. */
  static void inParallel(int threads, Runnable work) throws InterruptedException {
    final ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      final List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(work));
      }
      for (final Future<?> worker : workers) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the simulation itself failed", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }
}
