package io.tollgrid.verification.bench.ingest;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.node.local.LocalSystem;
import io.tollgrid.verification.bench.Figure;
import io.tollgrid.verification.bench.Figures;
import io.tollgrid.verification.bench.ledger.AccountPick;
import io.tollgrid.verification.bench.ledger.GridSide;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * P7: events per second end to end against COPY of the rows they became, round by round; a round's
 * ratio is of that round alone, and the figure is the median ratio.
 */
public final class IngestBench {
  private static final double GOAL = 0.6;
  private static final long LEASE_UNITS = 1L << 34;
  private static final int WARM_UP_SHARE = 4;

  private final int accounts;
  private final long events;
  private final int rounds;
  private final PrintWriter progress;

  /** A bench over this many accounts, with so many events in each of the rounds. */
  public IngestBench(int accounts, long events, int rounds, PrintWriter progress) {
    this.accounts = accounts;
    this.events = events;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** Runs everything in a throw-away system. */
  public Map<String, Figure> run() throws InterruptedException, SQLException, IOException {
    try (LocalSystem system = LocalSystem.throwAway();
        GridSide grid = new GridSide(system.node(), LEASE_UNITS)) {
      progress.println("bench: making " + accounts + " accounts with a lease each");
      final List<Id128> ids = grid.accounts(accounts);
      final List<Outcome.Granted> leases = grid.leases(ids);
      try (IngestSide ingest = new IngestSide(system.node(), ids, leases);
          CopySide copy = new CopySide(system.node().database())) {
        progress.println("bench: warming up");
        ingest.run(AccountPick.zipf(accounts, rounds), Math.max(1, events / WARM_UP_SHARE));
        final Map<String, Figure> figures = new LinkedHashMap<>();
        figures.put(
            "P7", ratio("zipf 1.1", ingest, copy, seed -> AccountPick.zipf(accounts, seed)));
        figures.put(
            "P7-uniform",
            ratio("uniform", ingest, copy, seed -> AccountPick.uniform(accounts, seed)));
        return figures;
      }
    }
  }

  private Figure ratio(
      String name, IngestSide ingest, CopySide copy, LongFunction<AccountPick> picks)
      throws InterruptedException, SQLException, IOException {
    final List<Double> ingested = new ArrayList<>();
    final List<Double> copied = new ArrayList<>();
    final List<Double> ratios = new ArrayList<>();
    final List<Double> perCommand = new ArrayList<>();
    final List<List<Double>> perMillion = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      final IngestSide.Run run = ingest.run(picks.apply(round), events);
      ingested.add(run.eventsPerSecond());
      perMillion.add(run.perMillion());
      final String writer = run.writer().toUuid().toString();
      copied.add(copy.rowsPerSecond(writer, events));
      perCommand.add(copy.eventsPerCommand(writer, events));
      ratios.add(ingested.get(round) / copied.get(round));
      progress.printf(
          "bench: %s round %d: ingest %.0f/s, COPY %.0f/s, ratio %.2f, %.1f events a command%n",
          name,
          round + 1,
          ingested.get(round),
          copied.get(round),
          ratios.get(round),
          perCommand.get(round));
    }
    final Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("accounts", accounts + ", " + name);
    detail.put("events", events);
    detail.put("ingestPerSecond", ingested);
    detail.put("copyPerSecond", copied);
    detail.put("ratios", ratios);
    detail.put("eventsPerCommand", perCommand);
    detail.put("perSecondByMillion", perMillion);
    final double value = Figures.median(ratios);
    return new Figure(value, GOAL, value >= GOAL, detail);
  }
}
