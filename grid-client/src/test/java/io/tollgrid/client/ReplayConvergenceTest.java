package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.client.SimulatedFleet.Result;
import io.tollgrid.client.SimulatedFleet.Row;
import io.tollgrid.client.SimulatedLedgers.Weather;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses R2 (a funded unit is reachable), R15 (a final refusal has evidence) and R1 on whole
 * instances: with one instance what is admitted equals a sequential oracle, with several no final
 * refusal is wrong; afterwards everything is home.
 */
class ReplayConvergenceTest {
  private static final long MILLI = SimulatedFleet.MILLI;
  private static final long ALLOWANCE = 40_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void oneInstanceDecidesAsASequentialOracle(long seed) {
    final SimulatedFleet fleet = new SimulatedFleet(seed, Weather.FAIR);
    final List<Row> rows = rows(fleet, seed, 400, 12);
    final Instance instance = fleet.start(InstanceSettings.DEFAULTS);
    final SimulatedFleet.Worker worker = fleet.worker(instance, rows);

    assertThat(fleet.runUntil(fleet::workersAreDone, 600_000 * MILLI)).isTrue();

    assertThat(describe(worker.results())).isEqualTo(oracle(rows));
    everythingIsHome(fleet, rows);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void severalInstancesRefuseForGoodOnlyWhatCannotBeFunded(long seed) {
    final SimulatedFleet fleet = new SimulatedFleet(seed, Weather.FAIR);
    final List<Row> rows = rows(fleet, seed, 600, 12);
    final List<SimulatedFleet.Worker> workers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      final Instance instance = fleet.start(InstanceSettings.DEFAULTS);
      final List<Row> own = new ArrayList<>();
      for (int j = i; j < rows.size(); j += 3) {
        own.add(rows.get(j));
      }
      workers.add(fleet.worker(instance, own));
    }
    final WrongRefusals wrong = new WrongRefusals(workers);
    fleet.witness(wrong);

    final boolean done = fleet.runUntil(fleet::workersAreDone, 1_200_000 * MILLI);

    assertThat(done).as("every worker got an answer to every row").isTrue();
    assertThat(wrong.found).isEmpty();
    everythingIsHome(fleet, rows);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24, 25, 26})
  void unknownOutcomesAndFailuresCostTimeAndNothingElse(long seed) {
    final SimulatedFleet fleet = new SimulatedFleet(seed, Weather.ROUGH);
    final List<Row> rows = rows(fleet, seed, 200, 6);
    final Instance instance = fleet.start(InstanceSettings.DEFAULTS);
    final SimulatedFleet.Worker worker = fleet.worker(instance, rows);

    assertThat(fleet.runUntil(fleet::workersAreDone, 3_600_000 * MILLI)).isTrue();

    assertThat(describe(worker.results())).isEqualTo(oracle(rows));
    everythingIsHome(fleet, rows);
  }

  /** Others serve small requests all the time, of which one or more run at every instant. */
  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33})
  void aQuoteOfAllThatOthersHoldAndUseIsAdmittedWithinOneTtl(long seed) {
    final SimulatedFleet fleet = new SimulatedFleet(seed, Weather.FAIR);
    final Id128 account = account(0);
    final int others = 8;
    final InstanceSettings settings =
        InstanceSettings.DEFAULTS
            .with(LeaseSettings.DEFAULTS.lasting(Duration.ofSeconds(8), Duration.ofSeconds(1)))
            .with(UsageSettings.DEFAULTS.queue(1, 1_024));
    final long ttlNanos = settings.leases().ttlNanos();
    fleet.ledgers.create(account, AccountTerms.STRICT, 2 * others);
    final Row small = new Row(account, 1, 0);
    final List<SimulatedFleet.Worker> busy = new ArrayList<>();
    for (int i = 0; i < others; i++) {
      busy.add(
          fleet.worker(fleet.start(settings), Collections.nCopies(1_000_000, small), 40 * MILLI));
    }
    fleet.runUntil(() -> busy.stream().allMatch(it -> it.results().size() > 10), 60_000 * MILLI);
    final SimulatedFleet.Worker large =
        fleet.worker(fleet.start(settings), List.of(new Row(account, 2 * others, 0)));

    assertThat(fleet.runUntil(large::isDone, ttlNanos)).as("within one ttl").isTrue();

    assertThat(large.results().get(0).denial()).isNull();
    final int[] served = busy.stream().mapToInt(it -> it.results().size()).toArray();
    assertThat(
            fleet.runUntil(
                () -> {
                  for (int i = 0; i < others; i++) {
                    if (busy.get(i).results().size() <= served[i]) {
                      return false;
                    }
                  }
                  return true;
                },
                ttlNanos))
        .as("and everyone else is served again")
        .isTrue();
    busy.forEach(SimulatedFleet.Worker::stop);
    fleet.runUntil(fleet::workersAreDone, 60_000 * MILLI);
    everythingIsHome(fleet, List.of(small));
  }

  /** Compares every refusal with what really remains of the account at that moment. */
  private static final class WrongRefusals implements SimulatedFleet.Witness {
    private final List<SimulatedFleet.Worker> workers;
    private final List<String> found = new ArrayList<>();

    WrongRefusals(List<SimulatedFleet.Worker> workers) {
      this.workers = workers;
    }

    @Override
    public void refused(Row row, Denial denial) {
      // What runs and is not settled counts as remaining here, which makes the check sharper.
      final long remaining = ALLOWANCE - billed(row.account());
      if (row.quote() <= remaining) {
        found.add(row + " was refused as " + denial + " with " + remaining + " remaining");
      }
    }

    @Override
    public void notExtended(Row row, Denial denial) {
      final long remaining =
          ALLOWANCE
              - billed(row.account())
              - workers.stream().mapToLong(worker -> worker.heldUnits(row.account())).sum();
      if (row.missing() <= remaining) {
        found.add(row + " was not extended (" + denial + ") with " + remaining + " remaining");
      }
    }

    private long billed(Id128 account) {
      return workers.stream()
          .flatMap(worker -> worker.results().stream())
          .filter(result -> result.row().account().equals(account))
          .mapToLong(Result::billed)
          .sum();
    }
  }

  private static List<Row> rows(SimulatedFleet fleet, long seed, int count, int accounts) {
    for (int i = 0; i < accounts; i++) {
      fleet.ledgers.create(account(i), AccountTerms.STRICT, ALLOWANCE);
    }
    final SplittableRandom random = new SplittableRandom(seed);
    final List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final long context = 100 + random.nextLong(random.nextInt(4) == 0 ? 9_000 : 1_500);
      final long generated = random.nextLong(random.nextInt(6) == 0 ? 300 : 50);
      final int account = Math.min(random.nextInt(accounts), random.nextInt(accounts));
      rows.add(new Row(account(account), context + 64, context + generated));
    }
    return rows;
  }

  private static Id128 account(int number) {
    return new Id128(0xACC, number + 1);
  }

  /** Rows served one by one against plain numbers. */
  private static List<String> oracle(List<Row> rows) {
    final Map<Id128, Long> remaining = new HashMap<>();
    final List<String> results = new ArrayList<>();
    for (final Row row : rows) {
      final long before = remaining.getOrDefault(row.account(), ALLOWANCE);
      if (before < row.quote()) {
        results.add("refused");
        continue;
      }
      final long funded =
          before - row.quote() >= row.missing()
              ? row.actual()
              : Math.min(row.quote(), row.actual());
      remaining.put(row.account(), before - funded);
      results.add("billed " + funded + " unfunded " + (row.actual() - funded));
    }
    return results;
  }

  private static List<String> describe(List<Result> results) {
    return results.stream()
        .map(
            result ->
                result.denial() == null
                    ? "billed " + result.billed() + " unfunded " + result.unfunded()
                    : "refused")
        .toList();
  }

  private static void everythingIsHome(SimulatedFleet fleet, List<Row> rows) {
    assertThat(fleet.shutDown()).allSatisfy(report -> assertThat(report.isClean()).isTrue());
    for (final Id128 account : rows.stream().map(Row::account).distinct().toList()) {
      final AccountLedger ledger = fleet.ledgers.ledger(account);
      assertThat(ledger.balances().outstanding()).isZero();
      assertThat(ledger.balances().loss()).isZero();
      assertThat(fleet.ledgers.store().verify(account)).isEmpty();
    }
    assertThat(fleet.instances()).allSatisfy(instance -> assertThat(instance.fault()).isNull());
  }
}
