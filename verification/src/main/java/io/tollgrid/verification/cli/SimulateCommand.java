package io.tollgrid.verification.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.verification.simulation.Campaign;
import io.tollgrid.verification.simulation.CampaignReport;
import io.tollgrid.verification.simulation.FleetCampaign;
import io.tollgrid.verification.simulation.FleetReport;
import io.tollgrid.verification.simulation.PlantedReport;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tollgrid simulate}: the whole fleet in one thread, seed by seed, every step checked. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the simulated fleet from seeds and checks every step, then looks for planted bugs.",
      "From 100,000 steps on every command, answer, fault and scenario must have been met,",
      "from 1,500,000 steps on every cell of the coverage table.",
      "Then runs the fleet plane, real instances on unreliable ground, from the same seeds;",
      "from 40,000 events on every cell of its own table must have been reached."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int DEFAULT_STEPS = 5_000;
  private static final int DEFAULT_EVENTS = 400;

  /** Instances are made to deny and to fail all the time, and would say so each time. */
  private static final String QUIET = "io/tollgrid/verification/simulation/logback.xml";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seeds",
      defaultValue = "100",
      description = "seeds to run (default: ${DEFAULT-VALUE})")
  private int seeds;

  @Option(
      names = "--first-seed",
      defaultValue = "1",
      description = "the first of them (default: ${DEFAULT-VALUE})")
  private long firstSeed;

  @Option(names = "--seed", description = "run this one seed again, and nothing planted")
  private @Nullable Long onlySeed;

  @Option(
      names = "--steps",
      defaultValue = "" + DEFAULT_STEPS,
      description = "steps to draw for each seed (default: ${DEFAULT-VALUE})")
  private int steps;

  @Option(
      names = "--events",
      defaultValue = "" + DEFAULT_EVENTS,
      description = "events of the fleet plane to draw for each seed (default: ${DEFAULT-VALUE})")
  private int events;

  @Option(
      names = "--threads",
      defaultValue = "2",
      description = "seeds run at a time (default: ${DEFAULT-VALUE})")
  private int threads;

  @Option(
      names = "--planted",
      description = "look for the planted bugs only, and print the shrunk trace of each")
  private boolean plantedOnly;

  @Option(names = "--json", description = "print one JSON object on standard output")
  private boolean json;

  private long lastProgressNanos;

  @Override
  public Integer call() throws InterruptedException, JsonProcessingException {
    requirePositive("--seeds", seeds);
    requirePositive("--steps", steps);
    requirePositive("--events", events);
    requirePositive("--threads", threads);
    lastProgressNanos = System.nanoTime();
    final long beganNanos = System.nanoTime();
    final @Nullable CampaignReport campaign = plantedOnly ? null : campaign().run(threads);
    final @Nullable FleetReport fleet = plantedOnly ? null : fleet();
    final List<PlantedReport> planted =
        onlySeed != null ? List.of() : Campaign.plant(threads, this::plantedProgress);
    final double seconds = (System.nanoTime() - beganNanos) / 1e9;
    if (json) {
      out().println(new ObjectMapper().writeValueAsString(asJson(campaign, fleet, planted)));
    } else {
      print(campaign, fleet, planted, seconds);
    }
    out().flush();
    return isGood(campaign, planted) && isGood(fleet) ? 0 : 1;
  }

  private Campaign campaign() {
    return onlySeed == null
        ? new Campaign(firstSeed, seeds, steps, this::progress)
        : new Campaign(onlySeed, 1, steps, this::progress);
  }

  private FleetReport fleet() throws InterruptedException {
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", QUIET);
    }
    final FleetCampaign campaign =
        onlySeed == null
            ? new FleetCampaign(firstSeed, seeds, events, this::fleetProgress)
            : new FleetCampaign(onlySeed, 1, events, this::fleetProgress);
    return campaign.run(threads);
  }

  private void requirePositive(String option, int value) {
    if (value < 1) {
      throw new ParameterException(spec.commandLine(), option + " is 1 or more, not " + value);
    }
  }

  // Judging

  private static boolean isGood(@Nullable CampaignReport campaign, List<PlantedReport> planted) {
    final boolean allFound = planted.stream().allMatch(PlantedReport::found);
    return allFound
        && (campaign == null || (campaign.violations() == 0 && missing(campaign).isEmpty()));
  }

  private static boolean isGood(@Nullable FleetReport fleet) {
    return fleet == null || (fleet.traces().isEmpty() && missing(fleet).isEmpty());
  }

  private static Set<String> missing(FleetReport fleet) {
    return fleet.events() >= FleetCampaign.FULL_COVERAGE_EVENTS ? fleet.emptyCells() : Set.of();
  }

  /** What counts against a run: impossible cells always, empty ones as its budget allows. */
  private static Map<String, Set<String>> missing(CampaignReport campaign) {
    final Map<String, Set<String>> missing = new LinkedHashMap<>();
    if (!campaign.unexpectedCells().isEmpty()) {
      missing.put("reached, though the table calls it impossible", campaign.unexpectedCells());
    }
    final Set<String> unreached;
    if (campaign.steps() >= Campaign.FULL_COVERAGE_STEPS) {
      unreached = campaign.emptyCells();
    } else {
      unreached =
          campaign.steps() >= Campaign.COARSE_COVERAGE_STEPS ? campaign.emptySums() : Set.of();
    }
    if (!unreached.isEmpty()) {
      missing.put("never reached", unreached);
    }
    return missing;
  }

  // Reporting

  private static Map<String, Object> asJson(
      @Nullable CampaignReport campaign, @Nullable FleetReport fleet, List<PlantedReport> planted) {
    final Map<String, Object> report = new LinkedHashMap<>();
    report.put("runs", campaign == null ? 0 : campaign.runs());
    report.put("steps", campaign == null ? 0L : campaign.steps());
    report.put("violations", campaign == null ? 0 : campaign.violations());
    report.put("coverage", campaign == null ? Map.of() : campaign.coverage());
    report.put("emptyCells", campaign == null ? Set.of() : campaign.emptyCells());
    report.put("traces", campaign == null ? List.of() : campaign.traces());
    if (fleet != null) {
      final Map<String, Object> plane = new LinkedHashMap<>();
      plane.put("runs", fleet.runs());
      plane.put("events", fleet.events());
      plane.put("violations", fleet.traces().size());
      plane.put("coverage", fleet.coverage());
      plane.put("emptyCells", fleet.emptyCells());
      plane.put("traces", fleet.traces());
      report.put("fleet", plane);
    }
    final Map<String, String> found = new LinkedHashMap<>();
    planted.forEach(bug -> found.put(bug.name(), bug.summary()));
    report.put("planted", found);
    return report;
  }

  private void print(
      @Nullable CampaignReport campaign,
      @Nullable FleetReport fleet,
      List<PlantedReport> planted,
      double seconds) {
    if (campaign != null) {
      printCampaign(campaign);
    }
    if (fleet != null) {
      printFleet(fleet);
    }
    for (final PlantedReport bug : planted) {
      out().println("planted: " + bug.name() + ": " + bug.summary());
      if (plantedOnly && bug.found()) {
        out().println("  broke " + bug.violation());
        bug.trace().forEach(line -> out().println("  " + line));
      }
    }
    out().printf("%.1f s%n", seconds);
  }

  private void printCampaign(CampaignReport campaign) {
    campaign.coverage().forEach((cell, count) -> out().printf("%10d  %s%n", count, cell));
    missing(campaign)
        .forEach((why, cells) -> cells.forEach(cell -> out().println(why + ": " + cell)));
    campaign.traces().forEach(out()::println);
    out()
        .printf(
            "%d seeds, %d steps checked, %d violations, %d of %d coverage cells empty%n",
            campaign.runs(),
            campaign.steps(),
            campaign.violations(),
            campaign.emptyCells().size(),
            campaign.coverage().size());
  }

  private void printFleet(FleetReport fleet) {
    fleet.coverage().forEach((cell, count) -> out().printf("%10d  fleet: %s%n", count, cell));
    missing(fleet).forEach(cell -> out().println("never reached: fleet: " + cell));
    fleet.traces().forEach(out()::println);
    out()
        .printf(
            "fleet plane: %d seeds, %d events checked, %d violations, %d of %d coverage cells"
                + " empty%n",
            fleet.runs(),
            fleet.events(),
            fleet.traces().size(),
            fleet.emptyCells().size(),
            fleet.coverage().size());
  }

  private void fleetProgress(int runs, int findings) {
    tell(runs + " seeds of the fleet plane, " + findings + " violations");
  }

  private synchronized void tell(String what) {
    final long nowNanos = System.nanoTime();
    if (nowNanos - lastProgressNanos >= PROGRESS_NANOS) {
      lastProgressNanos = nowNanos;
      err().println("simulate: " + what);
      err().flush();
    }
  }

  private void progress(Campaign.Progress progress) {
    tell(
        progress.runs()
            + " seeds, "
            + progress.steps()
            + " steps, "
            + progress.findings()
            + " violations");
  }

  private void plantedProgress(PlantedReport bug) {
    err().println("simulate: planted \"" + bug.name() + "\" " + bug.summary());
    err().flush();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
