package io.tollgrid.verification.faults.load;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the callers of one load process ask next.
 *
 * <p>A caller behaves like an instance that holds leases: it acquires, spends, returns and
 * releases, forgets some of them, and reports usage late. Now and then it makes a mistake that a
 * ledger must refuse, or sends what it has sent before. What it draws depends on the seed and on
 * the answers so far. Thread-safe; each caller brings its own source of chance.
 */
public final class Workload {
  private static final int REMEMBERED = 256;
  private static final int MAX_EVENTS = 6;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration IMPATIENCE = Duration.ofMillis(200);

  /** What a caller can do, with its share of a hundred. */
  private enum Deed {
    SHARED(14),
    ACQUIRE(16),
    CONSOLIDATE(7),
    RETURN(8),
    RENEW(4),
    RELEASE(8),
    USAGE(20),
    STRAGGLER(3),
    OVERAGE(3),
    UNFUNDED(1),
    CREDIT(2),
    RECLAIM(3),
    CROSS(1),
    REPEAT(5),
    MISTAKE(5);

    private final int percent;

    Deed(int percent) {
      this.percent = percent;
    }

    static Deed draw(SplittableRandom random) {
      int left = random.nextInt(100);
      for (final Deed deed : values()) {
        left -= deed.percent;
        if (left < 0) {
          return deed;
        }
      }
      return ACQUIRE;
    }
  }

  private final Population population;
  private final SharedCommands shared;
  private final LedgerClock clock;
  private final String actor;
  private final Id128 self;
  private final AtomicLong nextShared = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong sequence = new AtomicLong();
  private final LeaseBook book = new LeaseBook();
  private final ConcurrentLinkedDeque<LedgerRequest> sent = new ConcurrentLinkedDeque<>();
  private final ConcurrentLinkedDeque<LedgerRequest> billed = new ConcurrentLinkedDeque<>();

  /**
   * The work of one process.
   *
   * @param actor whom the journal will name
   * @param self what it is called as holder and as writer of usage
   */
  public Workload(
      Population population, SharedCommands shared, LedgerClock clock, String actor, Id128 self) {
    this.population = population;
    this.shared = shared;
    this.clock = clock;
    this.actor = actor;
    this.self = self;
  }

  /** The founding commands that are still to be sent, one by one; null once all were handed out. */
  @Nullable Errand found() {
    final long number = nextShared.getAndUpdate(next -> next < shared.founding() ? next + 1 : next);
    if (number >= shared.founding()) {
      return null;
    }
    final SharedCommands.Addressed command = shared.get(number);
    return Errand.of(request(command.account(), command.command(), PATIENCE));
  }

  /** What a caller does next. */
  Errand next(SplittableRandom random) {
    final Id128 account = population.pick(random);
    final Errand errand =
        switch (Deed.draw(random)) {
          case SHARED -> shared(nextShared.getAndIncrement());
          case ACQUIRE -> acquire(account, random);
          case CONSOLIDATE -> withLease(account, random, lease -> consolidate(lease, random));
          case RETURN -> withLease(account, random, lease -> giveBack(lease, random, false));
          case RELEASE -> withLease(account, random, lease -> giveBack(lease, random, true));
          case RENEW -> withLease(account, random, this::renew);
          case USAGE -> withLease(account, random, lease -> usage(lease, random));
          case STRAGGLER -> straggler(account, random);
          case OVERAGE -> unleased(account, new Funding.Overage(), random);
          case UNFUNDED -> unleased(account, new Funding.Unfunded(), random);
          case CREDIT -> credit(account, random);
          case RECLAIM -> Errand.of(request(account, new LedgerCommand.Reclaim(clock.nowNanos())));
          case CROSS -> Errand.of(request(account, new LedgerCommand.Cross()));
          case REPEAT -> repeat(account, random);
          case MISTAKE -> mistake(account, random);
        };
    remember(sent, errand.request(), random);
    return errand;
  }

  private Errand shared(long number) {
    final SharedCommands.Addressed command = shared.get(number);
    return Errand.of(request(command.account(), command.command()));
  }

  private Errand acquire(Id128 account, SplittableRandom random) {
    final LedgerCommand.Acquire command =
        new LedgerCommand.Acquire(
            id(random), self, policy(random), ttlNanos(random), random.nextInt(400));
    return new Errand(request(account, command), outcome -> granted(account, outcome));
  }

  private Errand consolidate(HeldLease lease, SplittableRandom random) {
    final long free = lease.freeUnits();
    final LedgerCommand.Consolidate command =
        new LedgerCommand.Consolidate(
            id(random),
            self,
            lease.id(),
            lease.fence(),
            free,
            policy(random),
            ttlNanos(random),
            random.nextInt(400));
    return new Errand(
        request(lease.account(), command),
        outcome -> {
          if (outcome instanceof Outcome.Granted) {
            lease.spend(free);
          }
          granted(lease.account(), outcome);
          keep(lease, outcome);
        });
  }

  private Errand giveBack(HeldLease lease, SplittableRandom random, boolean ends) {
    final long units = random.nextLong(lease.freeUnits() + 1);
    final LedgerCommand command =
        ends
            ? new LedgerCommand.Release(lease.id(), lease.fence(), lease.nextStep(), units)
            : new LedgerCommand.Return(lease.id(), lease.fence(), lease.nextStep(), units);
    return new Errand(
        request(lease.account(), command),
        outcome -> {
          if (outcome instanceof Outcome.Stepped) {
            lease.stepped();
            lease.spend(units);
          }
          if (ends && outcome instanceof Outcome.Stepped) {
            book.end(lease);
          } else {
            keep(lease, outcome);
          }
        });
  }

  private Errand renew(HeldLease lease) {
    return new Errand(
        request(
            lease.account(),
            new LedgerCommand.Renew(
                lease.id(), lease.fence(), lease.nextStep(), Duration.ofSeconds(5).toNanos())),
        outcome -> {
          if (outcome instanceof Outcome.Stepped) {
            lease.stepped();
          }
          keep(lease, outcome);
        });
  }

  private Errand usage(HeldLease lease, SplittableRandom random) {
    final Funding funding = new Funding.Leased(lease.id(), lease.fence());
    final List<UsageEvent> events = new ArrayList<>();
    long left = lease.freeUnits();
    for (int i = 1 + random.nextInt(MAX_EVENTS); i > 0; i--) {
      final long units = Math.min(left, random.nextInt(20));
      left -= units;
      events.add(event(funding, units, random));
    }
    if (random.nextInt(8) == 0) {
      events.add(again(events.get(0)));
    }
    final LedgerRequest request = request(lease.account(), new LedgerCommand.RecordUsage(events));
    return new Errand(
        request,
        outcome -> {
          if (outcome instanceof Outcome.UsageRecorded recorded) {
            for (int i = 0; i < events.size(); i++) {
              if (recorded.verdicts().get(i) == UsageVerdict.LEASED) {
                lease.spend(events.get(i).units());
              }
            }
            remember(billed, request, random);
          }
          keep(lease, outcome);
        });
  }

  private Errand straggler(Id128 account, SplittableRandom random) {
    final HeldLease lease = book.ended(account);
    if (lease == null) {
      return acquire(account, random);
    }
    final long units = random.nextLong(lease.freeUnits() + 3);
    return Errand.of(
        request(
            account,
            new LedgerCommand.RecordUsage(
                List.of(event(new Funding.Leased(lease.id(), lease.fence()), units, random)))));
  }

  private Errand unleased(Id128 account, Funding funding, SplittableRandom random) {
    return Errand.of(
        request(
            account,
            new LedgerCommand.RecordUsage(List.of(event(funding, random.nextInt(10), random)))));
  }

  private Errand credit(Id128 account, SplittableRandom random) {
    final LedgerRequest original = billed.peekLast();
    if (original == null || !(original.command() instanceof LedgerCommand.RecordUsage usage)) {
      return acquire(account, random);
    }
    final UsageEvent event = usage.events().get(0);
    return Errand.of(
        request(
            original.account(),
            new LedgerCommand.Credit(
                id(random), event.requestId(), event.part(), 1 + random.nextInt(6))));
  }

  /** Sends again what was sent before, the same request or the same events in another delivery. */
  private Errand repeat(Id128 account, SplittableRandom random) {
    final LedgerRequest usage = billed.peekFirst();
    if (random.nextInt(3) == 0
        && usage != null
        && usage.command() instanceof LedgerCommand.RecordUsage recorded) {
      return Errand.of(
          request(
              usage.account(),
              new LedgerCommand.RecordUsage(List.of(again(recorded.events().get(0))))));
    }
    // Each of them once: what lies far back is in no memory any more, and of many kinds.
    final LedgerRequest earlier = sent.pollFirst();
    return earlier == null
        ? acquire(account, random)
        : Errand.of(request(earlier.account(), earlier.command()));
  }

  private Errand mistake(Id128 account, SplittableRandom random) {
    final HeldLease lease = book.take(account);
    final LedgerRequest earlier = sent.peekFirst();
    if (lease != null) {
      book.put(lease);
      return Errand.of(request(account, wrongStep(lease, random)));
    }
    return switch (random.nextInt(3)) {
      case 0 ->
          Errand.of(
              request(
                  new Id128(random.nextLong(), random.nextLong()),
                  new LedgerCommand.Deposit(id(random), 1)));
      case 1 ->
          earlier != null && earlier.command() instanceof LedgerCommand.Acquire acquire
              ? Errand.of(request(earlier.account(), withAnotherBody(acquire)))
              : acquire(account, random);
      default ->
          Errand.of(
              new LedgerRequest(
                  account, actor, clock.nowNanos() - 1, new LedgerCommand.Deposit(id(random), 1)));
    };
  }

  private static LedgerCommand wrongStep(HeldLease lease, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new LedgerCommand.Return(lease.id(), lease.fence() + 1_000, lease.nextStep(), 0);
      case 1 -> new LedgerCommand.Return(lease.id(), lease.fence(), lease.nextStep() + 50, 0);
      case 2 ->
          new LedgerCommand.Release(lease.id(), lease.fence(), lease.nextStep(), Long.MAX_VALUE);
      default ->
          new LedgerCommand.Return(
              new Id128(random.nextLong(), random.nextLong()), lease.fence(), 1, 0);
    };
  }

  private static LedgerCommand withAnotherBody(LedgerCommand.Acquire acquire) {
    return new LedgerCommand.Acquire(
        acquire.leaseId(),
        acquire.holder(),
        acquire.policy(),
        acquire.ttlNanos() + 1,
        acquire.demandUnits());
  }

  private interface LeaseDeed {
    Errand with(HeldLease lease);
  }

  private Errand withLease(Id128 account, SplittableRandom random, LeaseDeed deed) {
    final HeldLease lease = book.take(account);
    return lease == null ? acquire(account, random) : deed.with(lease);
  }

  private void granted(Id128 account, Outcome outcome) {
    if (outcome instanceof Outcome.Granted granted) {
      book.put(new HeldLease(account, granted.leaseId(), granted.fence(), granted.units()));
    }
  }

  /** A lease that ended under its holder is remembered as such; any other goes back. */
  private void keep(HeldLease lease, Outcome outcome) {
    if (outcome instanceof Outcome.Refused refused
        && (refused.reason() == Refusal.LEASE_ENDED
            || refused.reason() == Refusal.CAPABILITY
            || refused.reason() == Refusal.STEP_SUPERSEDED)) {
      book.end(lease);
    } else {
      book.put(lease);
    }
  }

  private LedgerRequest request(Id128 account, LedgerCommand command) {
    // One in sixteen is in a hurry: what is late must be refused, and stay so.
    final boolean hurried = (requests.incrementAndGet() & 15) == 0;
    return request(account, command, hurried ? IMPATIENCE : PATIENCE);
  }

  private LedgerRequest request(Id128 account, LedgerCommand command, Duration patience) {
    return new LedgerRequest(account, actor, clock.nowNanos() + patience.toNanos(), command);
  }

  private UsageEvent event(Funding funding, long units, SplittableRandom random) {
    final long now = clock.nowNanos();
    return new UsageEvent(
        Id128.timeOrdered(now / NANOS_PER_MILLI, random.nextLong(), random.nextLong()),
        0,
        LegRole.BILLING,
        funding,
        units,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        now,
        self,
        sequence.incrementAndGet());
  }

  /** The same event in another delivery: a duplicate wherever it was recorded. */
  private UsageEvent again(UsageEvent event) {
    return new UsageEvent(
        event.requestId(),
        event.part(),
        event.role(),
        event.funding(),
        event.units(),
        event.requests(),
        event.meters(),
        event.keyId(),
        event.policyRevision(),
        event.occurredAtNanos(),
        self,
        sequence.incrementAndGet());
  }

  private static GrantPolicy policy(SplittableRandom random) {
    return GrantPolicy.of(20, 20 + random.nextInt(200));
  }

  /** From two to ten seconds; some lapse while they are held. */
  private static long ttlNanos(SplittableRandom random) {
    return Duration.ofMillis(2_000 + random.nextInt(8_000)).toNanos();
  }

  private static Id128 id(SplittableRandom random) {
    return new Id128(random.nextLong(), random.nextLong());
  }

  private static void remember(
      ConcurrentLinkedDeque<LedgerRequest> memory, LedgerRequest request, SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      memory.addLast(request);
      if (memory.size() > REMEMBERED) {
        memory.pollFirst();
      }
    }
  }
}
