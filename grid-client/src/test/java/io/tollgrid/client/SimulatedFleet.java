package io.tollgrid.client;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Instances and their workers in one thread and in virtual time: workers serve their rows in order
 * and wait, as a service would, for what is refused for now.
 */
final class SimulatedFleet {
  static final long START_NANOS = 1_700_000_000_000_000_000L;
  static final long MILLI = SimulatedLedgers.MILLI;

  /** One request: what it quotes and what it really uses. */
  record Row(Id128 account, long quote, long actual) {
    long missing() {
      return Math.max(0, actual - quote);
    }
  }

  /**
   * How a row ended.
   *
   * @param denial why it was refused for good, or null
   */
  record Result(Row row, @Nullable Denial denial, long billed, long unfunded, long endedNanos) {}

  /** Told of every row that is given up on, at the moment of it. */
  interface Witness {
    /** Its quote was refused for good. */
    void refused(Row row, Denial denial);

    /** Its extension was refused for good, or for so long that its worker stopped waiting. */
    void notExtended(Row row, Denial denial);
  }

  /**
   * How long a worker waits for an extension. Two requests that hold what the other one waits for
   * would wait for ever: no ledger can tell, so whoever extends has to bound it and settle (R9).
   */
  private static final long EXTENSION_PATIENCE_NANOS = 10_000 * MILLI;

  private static final class Node {
    final Instance instance;
    long dueNanos;

    Node(Instance instance) {
      this.instance = instance;
    }
  }

  final VirtualTime time = new VirtualTime(START_NANOS);
  final SimulatedLedgers ledgers;
  private final SplittableRandom random;
  private final long seed;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private Witness witness =
      new Witness() {
        @Override
        public void refused(Row row, Denial denial) {}

        @Override
        public void notExtended(Row row, Denial denial) {}
      };

  private int started;

  SimulatedFleet(long seed, SimulatedLedgers.Weather weather) {
    this(seed, weather, LedgerLimits.DEFAULTS);
  }

  SimulatedFleet(long seed, SimulatedLedgers.Weather weather, LedgerLimits limits) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.ledgers = new SimulatedLedgers(time, random.split(), weather, limits);
  }

  void witness(Witness heard) {
    witness = heard;
  }

  Instance start(InstanceSettings settings) {
    return start(InstanceGrid.ledgersOnly(ledgers.client(), time), settings);
  }

  /** Starts an instance of another grid than these ledgers and nothing else. */
  Instance start(InstanceGrid grid, InstanceSettings settings) {
    final Instance[] made = new Instance[1];
    final Node[] node = new Node[1];
    made[0] =
        new Instance(
            grid,
            new TestIds(seed * 31 + started++),
            settings,
            () -> {
              if (node[0] != null) {
                node[0].dueNanos = time.nowNanos();
              }
            });
    node[0] = new Node(made[0]);
    nodes.add(node[0]);
    return made[0];
  }

  Worker worker(Instance instance, List<Row> rows) {
    return worker(instance, rows, MILLI);
  }

  Worker worker(Instance instance, List<Row> rows, long longestWorkNanos) {
    final Worker worker = new Worker(instance, rows, longestWorkNanos);
    workers.add(worker);
    time.after(random.nextLong(MILLI), worker);
    return worker;
  }

  List<Instance> instances() {
    return nodes.stream().map(node -> node.instance).toList();
  }

  /** Never runs this instance again: its process is gone. */
  void drop(Instance instance) {
    nodes.removeIf(node -> node.instance == instance);
  }

  /** Runs for so long. */
  void runFor(long nanos) {
    final long endNanos = time.nowNanos() + nanos;
    final boolean never = runUntil(() -> false, nanos);
    assert !never;
    time.moveTo(endNanos);
  }

  /** Runs until {@code condition} holds. Returns whether it did within {@code longestNanos}. */
  boolean runUntil(java.util.function.BooleanSupplier condition, long longestNanos) {
    final long endNanos = time.nowNanos() + longestNanos;
    while (!condition.getAsBoolean()) {
      long next = time.nextNanos();
      for (final Node node : nodes) {
        next = Math.min(next, node.dueNanos);
      }
      if (next > endNanos) {
        return false;
      }
      time.moveTo(next);
      for (final Node node : List.copyOf(nodes)) {
        if (node.dueNanos <= time.nowNanos()) {
          node.dueNanos = Long.MAX_VALUE;
          node.dueNanos = Math.min(node.dueNanos, node.instance.run(time.nowNanos()));
        }
      }
    }
    return true;
  }

  boolean workersAreDone() {
    return workers.stream().allMatch(Worker::isDone);
  }

  /** Shuts every instance down in the one order there is, and reports. */
  List<ShutdownReport> shutDown() {
    instances().forEach(Instance::pause);
    runUntil(() -> instances().stream().allMatch(Instance::isDrained), 120_000 * MILLI);
    instances().forEach(Instance::release);
    runUntil(() -> instances().stream().allMatch(Instance::isReleased), 120_000 * MILLI);
    return instances().stream().map(instance -> instance.report(0)).toList();
  }

  /** Serves rows one after the other. */
  final class Worker implements Runnable {
    private enum Step {
      ADMIT,
      WORK,
      EXTEND,
      SETTLE
    }

    private final AdmissionRequest request;
    private final Operation work;
    private final long longestWorkNanos;
    private List<Row> rows;
    private final List<Result> results = new ArrayList<>();
    private Step step = Step.ADMIT;
    private long pauseNanos;
    private long extendingSinceNanos;

    Worker(Instance instance, List<Row> rows, long longestWorkNanos) {
      this.longestWorkNanos = longestWorkNanos;
      this.request = instance.newRequest();
      this.rows = rows;
      this.work = TestPlan.work(instance);
      rows.stream()
          .map(Row::account)
          .distinct()
          .forEach(
              account -> {
                instance.account(account);
                TestPlan.admit(instance, account);
              });
    }

    boolean isDone() {
      return results.size() == rows.size();
    }

    /** The request that runs, or is about to, is its last. */
    void stop() {
      rows = rows.subList(0, Math.min(rows.size(), results.size() + 1));
    }

    /** Units that its running request holds of this account. */
    long heldUnits(Id128 account) {
      return isDone() || step == Step.ADMIT || !rows.get(results.size()).account().equals(account)
          ? 0
          : request.reservedUnits();
    }

    List<Result> results() {
      return results;
    }

    @Override
    public void run() {
      if (isDone()) {
        return;
      }
      final Row row = rows.get(results.size());
      switch (step) {
        case ADMIT -> admit(row);
        case WORK -> {
          extendingSinceNanos = time.nowNanos();
          next(row.missing() > 0 ? Step.EXTEND : Step.SETTLE, random.nextLong(longestWorkNanos));
        }
        case EXTEND -> extend(row);
        case SETTLE -> {
          request.settle(row.actual(), time.nowNanos());
          ended(row, null, request.settledUnits() - request.unfundedUnits());
        }
      }
    }

    private void admit(Row row) {
      Denial denial = request.begin(row.account(), time.nowNanos());
      if (denial == null) {
        denial = request.admit(work, row.quote(), time.nowNanos());
      }
      if (denial == null) {
        denial = request.start(time.nowNanos());
      }
      if (denial == null) {
        next(Step.WORK, 0);
      } else if (denial.isFinal()) {
        witness.refused(row, denial);
        ended(row, denial, 0);
      } else {
        again();
      }
    }

    private void extend(Row row) {
      final Denial denial = request.extend(row.missing(), time.nowNanos());
      if (denial != null
          && !denial.isFinal()
          && time.nowNanos() - extendingSinceNanos < EXTENSION_PATIENCE_NANOS) {
        again();
        return;
      }
      if (denial != null) {
        witness.notExtended(row, denial);
      }
      next(Step.SETTLE, 0);
    }

    private void ended(Row row, @Nullable Denial denial, long billed) {
      results.add(
          new Result(
              row, denial, billed, denial == null ? request.unfundedUnits() : 0, time.nowNanos()));
      next(Step.ADMIT, 0);
    }

    private void next(Step following, long pause) {
      step = following;
      pauseNanos = 0;
      time.after(pause, this);
    }

    private void again() {
      pauseNanos = Math.min(2 * MILLI, Math.max(20_000, pauseNanos * 2));
      time.after(pauseNanos + random.nextLong(10_000), this);
    }
  }
}
