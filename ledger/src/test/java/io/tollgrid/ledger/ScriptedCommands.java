package io.tollgrid.ledger;

import io.tollgrid.ledger.oracle.OracleAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes commands of choices: mostly ones that do something to the account as it is, often at the
 * edge of what it allows, sometimes nonsense.
 */
final class ScriptedCommands {
  /** What a step may be. */
  enum Op {
    CREATE,
    DEPOSIT,
    CREDIT,
    SCHEDULE,
    STATUS,
    CAPACITY_CLASS,
    TERMS,
    ACQUIRE,
    CONSOLIDATE,
    RETURN,
    RENEW,
    RELEASE,
    USAGE,
    RECLAIM,
    CROSS,
    /** An earlier request again, as it was. */
    RETRY,
    /** An earlier command's id with another body. */
    CONFLICT,
    /** The entry is evicted: settled leases are lost. */
    FORGET,
    /** Another member takes over. */
    TAKE_OVER
  }

  /**
   * One step: what, and the choices that make it concrete.
   *
   * @param op what
   * @param time how time passes before it
   * @param fault what goes wrong with it
   * @param a a choice
   * @param b a choice
   * @param c a choice
   * @param d a choice
   */
  record Step(Op op, int time, int fault, int a, int b, int c, int d) {}

  private static final List<BudgetSchedule> SCHEDULES =
      List.of(
          new BudgetSchedule(BudgetSchedule.Kind.DAY, "UTC", 1, 50),
          new BudgetSchedule(BudgetSchedule.Kind.DAY, "America/St_Johns", 1, 70),
          new BudgetSchedule(BudgetSchedule.Kind.WEEK, "Europe/Vienna", 1, 200),
          new BudgetSchedule(BudgetSchedule.Kind.MONTH, "UTC", 1, 300),
          new BudgetSchedule(BudgetSchedule.Kind.MONTH, "Pacific/Kiritimati", 31, 400),
          new BudgetSchedule(BudgetSchedule.Kind.MONTH, "UTC", 15, 0),
          new BudgetSchedule(BudgetSchedule.Kind.DAY, "UTC", 1, Long.MAX_VALUE / 3));
  private static final List<Id128> HOLDERS = List.of(new Id128(0xB, 1), new Id128(0xB, 2));
  private static final List<Id128> WRITERS = List.of(new Id128(0xC, 1), new Id128(0xC, 2));
  private static final long SECOND = 1_000_000_000L;

  private final LedgerLimits limits;
  private final Map<Id128, List<UsageEvent>> events = new HashMap<>();
  private long lastId;
  private long lastSequence;

  ScriptedCommands(LedgerLimits limits) {
    this.limits = limits;
  }

  /** An index near the end more often than near the beginning. */
  static int recent(int choice, int size) {
    return size - 1 - (choice % 3 == 0 ? choice % size : choice % Math.min(size, 4));
  }

  Id128 nextId() {
    return new Id128(0x1D, ++lastId);
  }

  /**
   * The command a step chooses, for an account as its oracle has it, at a clock; null if it chooses
   * none.
   *
   * @param history earlier requests to the account
   */
  @Nullable LedgerCommand of(
      Step step, OracleAccount oracle, List<LedgerRequest> history, long clock) {
    return switch (step.op()) {
      case CREATE ->
          new LedgerCommand.Create(
              nextId(),
              step.a() % 2 == 0 ? AccountStatus.ACTIVE : AccountStatus.SUSPENDED,
              CapacityClass.ASSURED,
              terms(step.b()));
      case DEPOSIT ->
          new LedgerCommand.Deposit(
              nextId(),
              step.a() % 37 == 0 ? Long.MAX_VALUE - step.b() % 1_000 : 1 + step.a() % 500);
      case CREDIT -> credit(oracle, step);
      case SCHEDULE -> schedule(step);
      case STATUS -> new LedgerCommand.SetStatus(nextId(), status(step.a()));
      case CAPACITY_CLASS ->
          new LedgerCommand.SetCapacityClass(
              nextId(), step.a() % 2 == 0 ? CapacityClass.ASSURED : CapacityClass.BEST_EFFORT);
      case TERMS -> new LedgerCommand.SetTerms(nextId(), terms(step.a()));
      case ACQUIRE ->
          new LedgerCommand.Acquire(
              nextId(), HOLDERS.get(step.a() % 2), policy(step), ttl(step.b()), demand(step.c()));
      case CONSOLIDATE -> {
        final Id128 old = lease(oracle, step.a());
        yield new LedgerCommand.Consolidate(
            nextId(),
            HOLDERS.get(step.a() % 2),
            old,
            fence(oracle, old, step.d()),
            units(step.b(), oracle.leftOn(old)),
            policy(step),
            ttl(step.b()),
            demand(step.c()));
      }
      case RETURN -> {
        final Id128 lease = lease(oracle, step.a());
        yield new LedgerCommand.Return(
            lease,
            fence(oracle, lease, step.d()),
            nextStep(oracle, lease, step.c()),
            units(step.b(), oracle.leftOn(lease)));
      }
      case RENEW -> {
        final Id128 lease = lease(oracle, step.a());
        yield new LedgerCommand.Renew(
            lease,
            fence(oracle, lease, step.d()),
            nextStep(oracle, lease, step.c()),
            ttl(step.b()));
      }
      case RELEASE -> {
        final Id128 lease = lease(oracle, step.a());
        yield new LedgerCommand.Release(
            lease,
            fence(oracle, lease, step.d()),
            nextStep(oracle, lease, step.c()),
            units(step.b(), oracle.leftOn(lease)));
      }
      case USAGE -> usage(oracle, step, clock);
      case RECLAIM ->
          new LedgerCommand.Reclaim(step.a() % 3 == 0 ? clock - step.b() : Long.MAX_VALUE);
      case CROSS -> new LedgerCommand.Cross();
      case CONFLICT -> conflicting(history, step);
      case RETRY, FORGET, TAKE_OVER -> null;
    };
  }

  private static AccountStatus status(int choice) {
    return switch (choice % 24) {
      case 0 -> AccountStatus.CLOSED;
      case 1, 2, 3, 4, 5, 6 -> AccountStatus.SUSPENDED;
      default -> AccountStatus.ACTIVE;
    };
  }

  private static AccountTerms terms(int choice) {
    return choice % 3 == 0 ? AccountTerms.STRICT : AccountTerms.elastic(choice % 100);
  }

  private LedgerCommand schedule(Step step) {
    final boolean now = step.b() % 4 == 0;
    return new LedgerCommand.SetSchedule(
        nextId(),
        !now && step.a() % 5 == 0 ? null : SCHEDULES.get(step.c() % (step.a() % 7 == 0 ? 7 : 6)),
        now
            ? LedgerCommand.SetSchedule.Effective.NOW
            : LedgerCommand.SetSchedule.Effective.BOUNDARY);
  }

  private static GrantPolicy policy(Step step) {
    final long minimum = 1 + step.c() % 40L;
    return new GrantPolicy(
        minimum, minimum + step.d() % 200, 1 + step.c() % 3, step.d() % 5 == 0 ? 9 : 1L << 40);
  }

  private long ttl(int choice) {
    return choice % 29 == 0 ? limits.maxTtlNanos() + 1 : 1 + choice % 200L * SECOND;
  }

  private static long demand(int choice) {
    return choice % 2 == 0 ? 0 : choice % 600;
  }

  /** Usually a recent lease of the account, sometimes one that never was. */
  private Id128 lease(OracleAccount oracle, int choice) {
    final List<Id128> leases = oracle.leaseIds();
    return leases.isEmpty() || choice % 31 == 0
        ? new Id128(0xBAD, choice)
        : leases.get(recent(choice / 31, leases.size()));
  }

  private static long fence(OracleAccount oracle, Id128 lease, int choice) {
    return oracle.fenceOf(lease) + (choice % 29 == 3 ? 1 : 0);
  }

  private static long nextStep(OracleAccount oracle, Id128 lease, int choice) {
    final long next = oracle.lastStepOf(lease) + 1;
    return switch (choice % 13) {
      case 0 -> next + 1;
      case 1 -> Math.max(1, next - 1);
      case 2 -> Math.max(1, next - 2);
      default -> next;
    };
  }

  /** None, one, all there are, one more than there are, or some of them. */
  private static long units(int choice, long there) {
    return switch (choice % 9) {
      case 0 -> 0;
      case 1 -> 1;
      case 2, 3 -> there;
      case 4 -> there == Long.MAX_VALUE ? there : there + 1;
      default -> there == 0 ? choice % 2 : choice % Math.min(there, 1 << 20);
    };
  }

  private LedgerCommand usage(OracleAccount oracle, Step step, long clock) {
    final List<UsageEvent> batch = new ArrayList<>();
    for (int i = 0; i <= step.a() % 3; i++) {
      batch.add(event(oracle, step.b() + i * 7_919, step.c() + i * 104_729, step.d() + i, clock));
    }
    events(oracle).addAll(batch);
    return new LedgerCommand.RecordUsage(batch);
  }

  private List<UsageEvent> events(OracleAccount oracle) {
    return events.computeIfAbsent(oracle.id(), id -> new ArrayList<>());
  }

  private UsageEvent event(OracleAccount oracle, int which, int what, int delivery, long clock) {
    final List<UsageEvent> earlier = events(oracle);
    final boolean known = !earlier.isEmpty() && which % 4 == 0;
    final UsageEvent like = known ? earlier.get(recent(which / 4, earlier.size())) : null;
    if (like != null && which % 3 == 0) {
      return like;
    }
    final Id128 lease = lease(oracle, what / 16);
    final Funding funding =
        switch (what % 16) {
          case 0, 1, 2 -> new Funding.Overage();
          case 3 -> new Funding.Unfunded();
          default -> new Funding.Leased(lease, fence(oracle, lease, what / 7));
        };
    final long there = funding instanceof Funding.Leased ? oracle.leftOn(lease) : 60;
    final long units =
        funding instanceof Funding.Leased || what % 41 != 0
            ? units(what / 5, there)
            : Long.MAX_VALUE - what % 3;
    final boolean sameDelivery = like != null && delivery % 5 == 0;
    return OneAccount.event(
        like != null && which % 5 != 0 ? like.requestId() : requestId(which, clock),
        which / 8 % 3,
        funding,
        units,
        sameDelivery ? like.writer() : WRITERS.get(delivery % 2),
        sameDelivery ? like.sequence() : ++lastSequence);
  }

  private Id128 requestId(int choice, long clock) {
    final long millis = Math.floorDiv(clock, 1_000_000);
    return switch (choice % 40) {
      case 1 -> Id128.timeOrdered(millis - Duration.ofDays(401).toMillis(), 0, ++lastId);
      case 2 -> Id128.timeOrdered(millis + Duration.ofDays(2).toMillis(), 0, ++lastId);
      case 3 -> new Id128(millis << 16, ++lastId);
      default -> Id128.timeOrdered(millis, 0, ++lastId);
    };
  }

  private LedgerCommand credit(OracleAccount oracle, Step step) {
    final List<UsageEvent> earlier = events(oracle);
    if (earlier.isEmpty() || step.a() % 17 == 0) {
      return new LedgerCommand.Credit(nextId(), new Id128(0xBAD, step.a()), 0, 1);
    }
    final UsageEvent original = earlier.get(recent(step.a(), earlier.size()));
    return new LedgerCommand.Credit(
        nextId(),
        original.requestId(),
        original.part(),
        Math.max(1, units(step.b(), original.units())));
  }

  private @Nullable LedgerCommand conflicting(List<LedgerRequest> earlier, Step step) {
    if (earlier.isEmpty()) {
      return null;
    }
    final LedgerCommand command = earlier.get(recent(step.a(), earlier.size())).command();
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      return new LedgerCommand.Deposit(operator.commandId(), 1 + step.b() % 7);
    }
    if (command instanceof LedgerCommand.Acquire acquire) {
      return new LedgerCommand.Acquire(
          acquire.leaseId(), acquire.holder(), policy(step), acquire.ttlNanos(), step.b());
    }
    if (command instanceof LedgerCommand.Consolidate fold) {
      return new LedgerCommand.Acquire(fold.leaseId(), fold.holder(), policy(step), SECOND, 0);
    }
    return command instanceof LedgerCommand.LeaseStepCommand taken
        ? new LedgerCommand.Return(
            taken.leaseId(), taken.fence(), taken.step(), 500 + step.b() % 500)
        : null;
  }
}
