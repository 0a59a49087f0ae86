package io.tollgrid.verification.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.fleet.FleetFaults;
import io.tollgrid.verification.faults.ingest.IngestFaults;
import io.tollgrid.verification.faults.nemesis.NemesisFaults;
import io.tollgrid.verification.faults.nemesis.PlantedFaults;
import io.tollgrid.verification.faults.plan.PlantedDefect;
import io.tollgrid.verification.faults.run.Connections;
import io.tollgrid.verification.faults.run.LedgerFaults;
import io.tollgrid.verification.faults.run.RunDirectories;
import io.tollgrid.verification.faults.run.RunResult;
import io.tollgrid.verification.faults.soak.SoakRun;
import io.tollgrid.verification.faults.sweep.SweepFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Breaks a cluster of processes on purpose and judges whether its ledgers stayed exact. */
@Command(
    name = "faults",
    description =
        "Kills, freezes and misleads a cluster under load, then proves its ledgers exact.",
    mixinStandardHelpOptions = true)
public final class FaultsCommand implements Callable<Integer> {
  private static final int SHORTEST_SECONDS = 30;
  private static final int LONGEST_SECONDS = 3_600;
  private static final int MOST_SCHEDULES = 100;
  private static final int LEAST_ACCOUNTS = 500;
  private static final int LEAST_LEASES = 5_000;
  private static final int LEAST_PLAN_ACCOUNTS = 1_000;
  private static final int MOST_ACCOUNTS = 10_000_000;
  private static final int SHORTEST_MINUTES = 5;
  private static final int LONGEST_MINUTES = 1_440;
  private static final int LEAST_EVENTS = 10_000;
  private static final int MOST_RUNS = 1_000;
  private static final int MOST_EVENTS = 50_000_000;

  /** Where load lives. */
  enum Mode {
    /** In members. */
    EMBEDDED,
    /** In Hazelcast clients. */
    CLIENT,
    /** One run each. */
    BOTH
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--ledger", description = "The faults of the ledger.")
  private boolean ledger;

  @Option(names = "--fleet", description = "The faults of whole instances.")
  private boolean fleet;

  @Option(names = "--sweeps", description = "The sweeps at their sizes.")
  private boolean sweeps;

  @Option(names = "--ingest", description = "Usage from its writers to the ledgers.")
  private boolean ingest;

  @Option(names = "--soak", description = "Half of what the system can take, for long.")
  private boolean soak;

  @Option(
      names = "--runs",
      description =
          "Whole systems on hosts of their own: how many runs, 1 to 1000; needs root for hosts.")
  private int runs;

  @Option(names = "--from", description = "Of the runs: the number of the first; default 0.")
  private int firstRun;

  @Option(
      names = "--plant",
      paramLabel = "BUG|all",
      description =
          "Of the runs: plant this bug into every member, and see whether so many runs find it.")
  private @Nullable String plant;

  @Option(
      names = "--results",
      paramLabel = "FILE",
      description = "Of the runs: a file of runs, one JSON object a line, that they are added to.")
  private @Nullable Path results;

  @Option(
      names = "--minutes",
      description =
          "Of the soak: how long, 5 to 1440; default 30, of which the last 20 are judged.")
  private int minutes = 30;

  @Option(
      names = "--events",
      description = "Of the ingest: usage events, 10000 to 50000000; default 5000000.")
  private int events = 5_000_000;

  @Option(
      names = "--accounts",
      description =
          "Of the sweeps: accounts due at one midnight; default 100000, 0 leaves them out.")
  private int accounts = 100_000;

  @Option(
      names = "--leases",
      description = "Of the sweeps: expired leases; default 200000, 0 leaves them out.")
  private int leases = 200_000;

  @Option(
      names = "--plan-accounts",
      description =
          "Of the sweeps: accounts not due while pages are explained; default 1000000, 0 leaves"
              + " them out.")
  private int planAccounts = 1_000_000;

  @Option(
      names = "--schedules",
      description = "Of the fleet: how many schedules, 0 to 100; default 20.")
  private int schedules = 20;

  @Option(
      names = "--mode",
      paramLabel = "embedded|client|both",
      description = "Where the load lives; default both.")
  private String mode = "both";

  @Option(
      names = "--members",
      paramLabel = "3|5|both",
      description = "Members of the cluster; default both.")
  private String members = "both";

  @Option(names = "--seed", description = "What the faults are drawn from; default 7.")
  private long seed = 7;

  @Option(
      names = "--seconds",
      description = "Length of one schedule of faults, 30 to 3600; default 75.")
  private int seconds = 75;

  @Option(names = "--json", description = "Print the result as one JSON object.")
  private boolean json;

  @Option(
      names = "--quick",
      description = "One short run, three members, client mode: every kind of fault at least once.")
  private boolean quick;

  @Option(
      names = "--no-lanes",
      description =
          "Leave out the lanes: cold start, loss of CP, PostgreSQL away; of the sweeps, the holder"
              + " that stands still; of the ingest, PostgreSQL away for a minute.")
  private boolean noLanes;

  @Option(
      names = "--lane",
      paramLabel = "fleet-lanes|takeover|restarts",
      description = "Of the fleet: this lane only, and no schedules.")
  private @Nullable String lane;

  @Option(names = "--no-runs", description = "Leave out the runs: the lanes only.")
  private boolean noRuns;

  @Option(names = "--keep", description = "Keep logs, histories and data of good runs, too.")
  private boolean keep;

  @Override
  public Integer call() {
    if (Stream.of(ledger, fleet, sweeps, ingest, soak, runs != 0).filter(asked -> asked).count()
        != 1) {
      throw new ParameterException(
          spec.commandLine(),
          "say which faults: --ledger, --fleet, --sweeps, --ingest, --soak or --runs, one of them");
    }
    if (runs < 0 || runs > MOST_RUNS || firstRun < 0 || firstRun > MOST_RUNS) {
      throw new ParameterException(
          spec.commandLine(), "--runs is 1 to " + MOST_RUNS + ", and --from 0 to " + MOST_RUNS);
    }
    if (runs == 0 && (firstRun != 0 || results != null || plant != null)) {
      throw new ParameterException(
          spec.commandLine(), "--from, --plant and --results belong to --runs");
    }
    if (plant != null && (firstRun != 0 || results != null)) {
      throw new ParameterException(
          spec.commandLine(), "runs with a planted bug are no results, and begin at the first");
    }
    if (plant != null && !plant.equals("all") && !PlantedDefect.spellings().contains(plant)) {
      throw new ParameterException(
          spec.commandLine(), "--plant is all or one of " + PlantedDefect.spellings());
    }
    if (runs > 0 && (quick || noRuns || noLanes)) {
      throw new ParameterException(
          spec.commandLine(), "the runs have no lanes and are not short; --runs says how many");
    }
    if (events < LEAST_EVENTS || events > MOST_EVENTS) {
      throw new ParameterException(
          spec.commandLine(),
          "--events is " + LEAST_EVENTS + " to " + MOST_EVENTS + ", not " + events);
    }
    requireSize("--accounts", accounts, LEAST_ACCOUNTS);
    requireSize("--leases", leases, LEAST_LEASES);
    requireSize("--plan-accounts", planAccounts, LEAST_PLAN_ACCOUNTS);
    if (schedules < 0 || schedules > MOST_SCHEDULES) {
      throw new ParameterException(
          spec.commandLine(), "--schedules is 0 to " + MOST_SCHEDULES + ", not " + schedules);
    }
    if (seconds < SHORTEST_SECONDS || seconds > LONGEST_SECONDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds is " + SHORTEST_SECONDS + " to " + LONGEST_SECONDS + ", not " + seconds);
    }
    if (sweeps && (noRuns || (noLanes && accounts + leases + planAccounts == 0))) {
      throw new ParameterException(
          spec.commandLine(), "of the sweeps nothing is left to do; their parts have sizes");
    }
    if (minutes < SHORTEST_MINUTES || minutes > LONGEST_MINUTES) {
      throw new ParameterException(
          spec.commandLine(),
          "--minutes is " + SHORTEST_MINUTES + " to " + LONGEST_MINUTES + ", not " + minutes);
    }
    if (soak && (quick || noRuns || noLanes)) {
      throw new ParameterException(
          spec.commandLine(), "the soak is one run and nothing else; --minutes sets its length");
    }
    if (lane != null && (!fleet || noLanes || !FleetFaults.LANES.contains(lane))) {
      throw new ParameterException(
          spec.commandLine(), "--lane is one of " + FleetFaults.LANES + ", of --fleet");
    }
    if (ingest && quick) {
      throw new ParameterException(
          spec.commandLine(), "of the ingest there is no short run; --events sets its size");
    }
    if (noRuns && (noLanes || quick)) {
      throw new ParameterException(spec.commandLine(), "--no-runs leaves nothing to do here");
    }
    final long began = System.nanoTime();
    final List<RunResult> shown = run();
    final Map<String, Object> report = report(shown);
    report.put("seconds", Duration.ofNanos(System.nanoTime() - began).toSeconds());
    if (results != null) {
      report.put("all_runs", NemesisFaults.histogram(results));
    }
    if (json) {
      print(report);
    } else {
      shown.forEach(this::summary);
    }
    return shown.stream().allMatch(RunResult::good) ? 0 : 1;
  }

  private List<RunResult> run() {
    if (sweeps) {
      return new SweepFaults(
              new SweepFaults.Options(seed, accounts, leases, planAccounts, !noLanes, keep),
              this::progress)
          .run();
    }
    if (plant != null) {
      return new PlantedFaults(seed, runs, planted(), keep, this::progress).run();
    }
    if (runs > 0) {
      return new NemesisFaults(
              new NemesisFaults.Options(seed, firstRun, runs, sizes(), results, keep),
              this::progress)
          .run();
    }
    if (soak) {
      return List.of(
          new RunDirectories(keep, this::progress)
              .work(
                  SoakRun.NAME,
                  new SoakRun(Duration.ofMinutes(minutes), seed, this::progress)::run));
    }
    if (ingest) {
      return new IngestFaults(
              new IngestFaults.Options(seed, noRuns ? 0 : events, !noLanes, keep), this::progress)
          .run();
    }
    if (fleet) {
      return new FleetFaults(
              new FleetFaults.Options(
                  seed, noRuns || lane != null ? 0 : schedules, connections(), lanes(), keep),
              this::progress)
          .run();
    }
    return new LedgerFaults(options(), this::progress).run();
  }

  private void requireSize(String option, int size, int least) {
    if (size != 0 && (size < least || size > MOST_ACCOUNTS)) {
      throw new ParameterException(
          spec.commandLine(),
          option + " is 0 or " + least + " to " + MOST_ACCOUNTS + ", not " + size);
    }
  }

  private List<PlantedDefect> planted() {
    return "all".equals(plant)
        ? PlantedDefect.ALL
        : List.of(PlantedDefect.of(String.valueOf(plant)));
  }

  private List<String> lanes() {
    if (lane != null) {
      return List.of(lane);
    }
    return noLanes ? List.of() : FleetFaults.LANES;
  }

  /** Embedded instances are members without ledgers. */
  private List<String> connections() {
    return switch (modeOf()) {
      case CLIENT -> List.of(Connections.CLIENT);
      case EMBEDDED -> List.of(Connections.LITE);
      case BOTH -> List.of(Connections.CLIENT, Connections.LITE);
    };
  }

  private LedgerFaults.Options options() {
    if (quick) {
      return LedgerFaults.Options.quick(seed, keep);
    }
    final Mode where = modeOf();
    return new LedgerFaults.Options(
        !noRuns && where != Mode.EMBEDDED,
        !noRuns && where != Mode.CLIENT,
        sizes(),
        seed,
        Duration.ofSeconds(seconds),
        false,
        !noLanes,
        keep);
  }

  private Mode modeOf() {
    return switch (mode) {
      case "embedded" -> Mode.EMBEDDED;
      case "client" -> Mode.CLIENT;
      case "both" -> Mode.BOTH;
      default ->
          throw new ParameterException(
              spec.commandLine(), "--mode is embedded, client or both, not " + mode);
    };
  }

  private List<Integer> sizes() {
    return switch (members) {
      case "3" -> List.of(3);
      case "5" -> List.of(5);
      case "both" -> List.of(3, 5);
      default ->
          throw new ParameterException(
              spec.commandLine(), "--members is 3, 5 or both, not " + members);
    };
  }

  private Map<String, Object> report(List<RunResult> results) {
    final Map<String, Object> report = new LinkedHashMap<>();
    final Map<String, Boolean> planted = new TreeMap<>();
    final Map<String, Object> details = new LinkedHashMap<>();
    long acknowledged = 0;
    long violations = 0;
    for (final RunResult result : results) {
      acknowledged += result.count("acknowledged");
      violations += result.violations().size();
      result.planted().forEach((name, found) -> planted.merge(name, found, Boolean::logicalAnd));
      final Map<String, Object> detail = new LinkedHashMap<>();
      detail.put("good", result.good());
      detail.put("counts", result.counts());
      detail.put("violations", result.violations().stream().map(Violation::toString).toList());
      detail.put("shortfalls", result.shortfalls());
      details.put(result.name(), detail);
    }
    report.put("good", results.stream().allMatch(RunResult::good));
    report.put("seed", seed);
    report.put("runs", results.size());
    report.put("steps", acknowledged);
    report.put("violations", violations);
    report.put("planted", planted);
    report.put("details", details);
    return report;
  }

  private void print(Map<String, Object> report) {
    try {
      spec.commandLine()
          .getOut()
          .println(
              new ObjectMapper()
                  .enable(SerializationFeature.INDENT_OUTPUT)
                  .writeValueAsString(report));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of numbers and texts are always JSON", e);
    }
    spec.commandLine().getOut().flush();
  }

  private void summary(RunResult result) {
    final var out = spec.commandLine().getOut();
    out.println(result.name() + ": " + (result.good() ? "exact" : "NOT GOOD"));
    result.counts().forEach((what, count) -> out.println("  " + what + " " + count));
    result.violations().forEach(violation -> out.println("  VIOLATION " + violation));
    result.shortfalls().forEach(shortfall -> out.println("  NOT SHOWN " + shortfall));
    result
        .planted()
        .forEach(
            (name, found) -> out.println("  planted " + name + (found ? " found" : " MISSED")));
    out.flush();
  }

  private void progress(String line) {
    final var err = spec.commandLine().getErr();
    err.println(Instant.now() + " " + line);
    err.flush();
  }
}
