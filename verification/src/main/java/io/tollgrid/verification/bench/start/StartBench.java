package io.tollgrid.verification.bench.start;

import io.tollgrid.node.local.LocalSystem;
import io.tollgrid.verification.bench.Figure;
import io.tollgrid.verification.bench.Figures;
import io.tollgrid.verification.bench.ledger.GridSide;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.run.Words;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * P10: seconds from the start of a process to a system that is ready, its PostgreSQL started with
 * it, on the data of many accounts that was stopped in order; a new process each round.
 */
public final class StartBench {
  private static final double GOAL_SECONDS = 10;
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final long LONGEST_SECONDS = 180;
  private static final long UNITS = 1;
  private static final String HEAP = "1g";

  private final int accounts;
  private final int rounds;
  private final PrintWriter progress;

  /** A bench over this many accounts. */
  public StartBench(int accounts, int rounds, PrintWriter progress) {
    this.accounts = accounts;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** Runs everything on data that is removed at the end. */
  public Map<String, Figure> run() throws InterruptedException, IOException {
    final Path directory = Files.createTempDirectory("tollgrid-bench-start-");
    try {
      return run(directory);
    } finally {
      remove(directory);
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (final Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private Map<String, Figure> run(Path directory) throws InterruptedException {
    final Path data = directory.resolve("data");
    progress.println("bench: making " + accounts + " accounts");
    try (LocalSystem system = LocalSystem.in(data);
        GridSide grid = new GridSide(system.node(), UNITS)) {
      grid.accounts(accounts);
    }
    final List<Double> seconds = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      seconds.add(start(data, directory, round));
      progress.printf("bench: start %d: ready after %.1f s%n", round + 1, seconds.get(round));
    }
    final double value = Figures.median(seconds);
    final Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("accounts", accounts);
    detail.put("seconds", seconds);
    return Map.of("P10", new Figure(value, GOAL_SECONDS, value <= GOAL_SECONDS, detail));
  }

  private static double start(Path data, Path logs, int round) {
    try (ChildJvm process =
        ChildJvm.start("start-" + round, ColdStart.class, List.of(data.toString()), HEAP, logs)) {
      final Message ready = process.await(ColdStart.READY, any -> true, LONGEST_SECONDS);
      process.tell(Message.of(Words.LEAVE));
      if (!process.awaitEnd(LONGEST_SECONDS)) {
        throw new IllegalStateException("the system did not stop");
      }
      return ready.number(ColdStart.MILLIS) / MILLIS_PER_SECOND;
    }
  }
}
