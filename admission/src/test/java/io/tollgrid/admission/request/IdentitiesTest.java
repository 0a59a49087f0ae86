package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.concurrency.ExecutionCapacity;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Witnesses R10's local half, R5, R6, R13, R30 and R32 over many threads: whatever requests do, on
 * whatever lease, with a time that goes backward now and then and work that outlasts its lease by
 * far, at every quiet moment
 *
 * <pre>
 * granted = free + in flight + started + settled + drained     for each lease
 * execution_started + capacity_shed + refused_at_start + cancelled + abandoned + in flight = admitted
 * </pre>
 *
 * <p>and nobody overspends: what is settled on overage stays within the cap.
 */
class IdentitiesTest {
  private static final int THREADS = 3;
  private static final int REQUESTS_EACH = 4;
  private static final int ROUNDS = 12;
  private static final int STEPS = 120;
  private static final long OVERAGE_CAP = 500;
  private static final long TTL = 600;

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void everyUnitAndEveryOutcomeIsSomewhere(@ForAll final long seed) throws Exception {
    new Run(seed).go();
  }

  private static final class Run {
    private final TestKernel kernel = new TestKernel(64, ExecutionCapacity.withReserve(6, 1));
    private final SplittableRandom random;
    private final List<AccountState> accounts = new ArrayList<>();
    private final List<Id128> principals = new ArrayList<>();
    private final Map<HeldLease, AccountState> leases = new HashMap<>();
    private final Map<HeldLease, Long> drained = new HashMap<>();
    private final Map<HeldLease, Long> settled = new HashMap<>();
    private final Map<AccountState, Long> settledOverage = new HashMap<>();
    private final AtomicLong time = new AtomicLong(10_000);
    private final List<Worker> workers = new ArrayList<>();
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    Run(final long seed) {
      random = new SplittableRandom(seed);
      final AccountTerms strict = new AccountTerms(EnforcementMode.STRICT, 0, RateLimits.NONE, 8);
      for (int i = 0; i < 4; i++) {
        final boolean shared = i == 3;
        accounts.add(
            kernel.account(
                i,
                i == 1 ? AccountTerms.elastic(OVERAGE_CAP) : strict,
                i == 2 ? CapacityClass.ASSURED : CapacityClass.BEST_EFFORT,
                shared ? 2 : 1));
        grant(accounts.get(i), shared ? 2_000 : 400);
      }
      for (int i = 0; i < 3; i++) {
        principals.add(kernel.principal(i, 3, accounts.get(i), accounts.get(3)));
        principals.add(kernel.principal(10 + i, 0, accounts.get(i)));
      }
      for (int i = 0; i < THREADS; i++) {
        workers.add(new Worker(random.split()));
      }
    }

    void go() throws Exception {
      final CyclicBarrier barrier = new CyclicBarrier(THREADS + 1);
      final List<Thread> threads = new ArrayList<>();
      for (final Worker worker : workers) {
        final Thread thread = new Thread(() -> work(worker, barrier));
        thread.start();
        threads.add(thread);
      }
      for (int round = 0; round < ROUNDS; round++) {
        barrier.await(20, TimeUnit.SECONDS);
        // The owner's side, beside the requests.
        for (int i = 0; i < 20; i++) {
          own();
          consume();
        }
        barrier.await(20, TimeUnit.SECONDS);
        consume();
        verify();
        barrier.await(20, TimeUnit.SECONDS);
      }
      for (final Thread thread : threads) {
        thread.join(20_000);
      }
      assertThat(failures).isEmpty();
      consume();
      verify();
      assertThat(kernel.admission.usage().startedRequests()).isZero();
      for (final AccountState account : accounts) {
        assertThat(account.gauge().running()).isZero();
      }
      assertThat(kernel.admission.capacity().running()).isZero();
      assertThat(settledOverage.getOrDefault(accounts.get(1), 0L)).isLessThanOrEqualTo(OVERAGE_CAP);
    }

    private void work(final Worker worker, final CyclicBarrier barrier) {
      try {
        for (int round = 0; round < ROUNDS; round++) {
          barrier.await(20, TimeUnit.SECONDS);
          for (int step = 0; step < STEPS; step++) {
            worker.step();
          }
          if (round == ROUNDS - 1) {
            worker.end();
          }
          barrier.await(20, TimeUnit.SECONDS);
          barrier.await(20, TimeUnit.SECONDS);
        }
      } catch (Throwable e) {
        failures.add(e);
        barrier.reset();
      }
    }

    private void grant(final AccountState account, final long units) {
      leases.put(kernel.lease(account, units, time.get() + TTL), account);
    }

    /** One thing an owner does: replace, drain a tail, take a lapsed lease out, let time pass. */
    private void own() {
      final AccountState account = accounts.get(random.nextInt(accounts.size()));
      switch (random.nextInt(6)) {
        case 0 -> grant(account, random.nextLong(600));
        case 1 -> {
          final HeldLease taken = account.leases().take();
          if (taken != null) {
            drained.merge(taken, taken.drain(), Long::sum);
          }
        }
        case 2 -> {
          for (final HeldLease lease : leases.keySet()) {
            if (lease.isClosed()) {
              drained.merge(lease, lease.drain(), Long::sum);
            }
          }
        }
        default -> time.addAndGet(random.nextLong(300));
      }
    }

    private void consume() {
      final UsageQueue usage = kernel.admission.usage();
      for (UsageSlot slot = usage.poll(); slot != null; slot = usage.poll()) {
        for (int part = 0; part < slot.parts(); part++) {
          final HeldLease lease = slot.lease(part);
          if (lease != null) {
            settled.merge(lease, slot.units(part), Long::sum);
          } else if (slot.fundingOf(part) == UsageSlot.OVERAGE) {
            settledOverage.merge(slot.account(part), slot.units(part), Long::sum);
          }
        }
        usage.acknowledge(slot);
      }
    }

    private void verify() {
      final Map<HeldLease, Long> open = new HashMap<>();
      final long[] pending = new long[1];
      kernel
          .admission
          .usage()
          .forEachSlot(
              slot -> {
                final int phase = PhaseWord.phase(slot.word());
                if (phase == PhaseWord.PENDING || phase == PhaseWord.STARTED) {
                  pending[0] += phase == PhaseWord.PENDING ? 1 : 0;
                  for (int part = 0; part < slot.parts(); part++) {
                    final HeldLease lease = slot.lease(part);
                    if (lease != null) {
                      open.merge(lease, slot.units(part), Long::sum);
                    }
                  }
                }
              });
      for (final HeldLease lease : leases.keySet()) {
        assertThat(
                lease.freeUnits()
                    + open.getOrDefault(lease, 0L)
                    + settled.getOrDefault(lease, 0L)
                    + drained.getOrDefault(lease, 0L))
            .as(lease.toString())
            .isEqualTo(lease.grantedUnits());
      }
      assertThat(kernel.admission.counters().resolved() + pending[0])
          .isEqualTo(kernel.admission.counters().count(Outcome.ADMITTED));
    }

    /** Drives a few requests at once, each wherever chance takes it. */
    private final class Worker {
      private final SplittableRandom chance;
      private final List<Driven> requests = new ArrayList<>();

      Worker(final SplittableRandom chance) {
        this.chance = chance;
        for (int i = 0; i < REQUESTS_EACH; i++) {
          requests.add(new Driven(kernel.request()));
        }
      }

      void step() {
        requests.get(chance.nextInt(requests.size())).step();
      }

      void end() {
        requests.forEach(Driven::end);
      }

      private final class Driven {
        private final AdmissionRequest request;
        private int phase;

        Driven(final AdmissionRequest request) {
          this.request = request;
        }

        /** A time that is behind the owner's now and then. */
        private long now() {
          return time.get() - (chance.nextInt(4) == 0 ? chance.nextLong(500) : 0);
        }

        void step() {
          switch (phase) {
            case 0 -> admit();
            case 1 -> decide();
            default -> run();
          }
        }

        private void admit() {
          final Id128 principal = principals.get(chance.nextInt(principals.size()));
          final Denial begun = request.begin(principal, now());
          if (begun == null && request.admit(kernel.work, chance.nextLong(60), now()) == null) {
            phase = 1;
          }
        }

        private void decide() {
          switch (chance.nextInt(5)) {
            case 0 -> {
              request.cancel();
              phase = 0;
            }
            case 1 -> {
              // Whoever wins, start() says so.
              assertThat(request.split().cancel()).isNotNull();
              assertThat(request.start(now())).isEqualTo(Denial.START_CANCELLED);
              phase = 0;
            }
            default -> phase = request.start(now()) == null ? 2 : 0;
          }
        }

        private void run() {
          switch (chance.nextInt(6)) {
            case 0 -> {
              request.complete();
              phase = 0;
            }
            case 1, 2 -> {
              request.settle(chance.nextLong(120), now());
              phase = 0;
            }
            case 3 -> {
              final Denial refused = request.extend(chance.nextLong(40), now());
              assertThat(refused == null || refused.stage() == Denial.Stage.ADMISSION).isTrue();
            }
            default -> {
              // It runs on.
            }
          }
        }

        void end() {
          if (phase == 1) {
            request.cancel();
          } else if (phase == 2) {
            request.settle(chance.nextLong(120), time.get() + 100 * TTL);
          }
          request.close();
        }
      }
    }
  }
}
