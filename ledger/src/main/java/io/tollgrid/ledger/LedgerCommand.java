package io.tollgrid.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What someone asks of a ledger. The account, the actor and the deadline are the request's (see
 * {@link LedgerRequest}).
 *
 * <p>A command is idempotent by the id it carries (R16); {@link Reclaim} and {@link Cross} are so
 * by state.
 */
public sealed interface LedgerCommand {

  /**
   * A command that only a control plane may give: it carries its own id and must be authenticated
   * (R45).
   */
  sealed interface OperatorCommand extends LedgerCommand {
    /** The id that makes it idempotent. */
    Id128 commandId();
  }

  /** A command of a lease's holder. */
  sealed interface HolderCommand extends LedgerCommand {}

  /**
   * A command that moves units between the balance and a lease. Those that wait for one account may
   * travel to its owner together, as a chain.
   */
  sealed interface LeaseCommand extends HolderCommand {
    /** Commands one chain can carry. */
    int MAX_CHAIN = 64;
  }

  /**
   * A step on an existing lease: needs its capability and the lease's next step number (R11, R12).
   */
  sealed interface LeaseStepCommand extends LeaseCommand {
    /** The lease. */
    Id128 leaseId();

    /** Its fence. */
    long fence();

    /** Its next step: one more than the last. */
    long step();
  }

  /**
   * Creates the account, unfunded (R17).
   *
   * @param commandId its id
   * @param status ACTIVE or SUSPENDED
   * @param capacityClass its capacity class
   * @param terms its terms
   */
  record Create(
      Id128 commandId, AccountStatus status, CapacityClass capacityClass, AccountTerms terms)
      implements OperatorCommand {
    /** Refuses to create a closed account. */
    public Create {
      if (status == AccountStatus.CLOSED) {
        throw new IllegalArgumentException("an account cannot be created closed");
      }
    }
  }

  /**
   * Adds top-up units.
   *
   * @param commandId the deposit's id
   * @param units 1 or more
   */
  record Deposit(Id128 commandId, long units) implements OperatorCommand {
    /** Refuses fewer than one unit. */
    public Deposit {
      requirePositive("deposit", units);
    }
  }

  /**
   * Gives back units billed for one part of a request, as top-up (R23).
   *
   * @param commandId the credit's id
   * @param requestId the original request
   * @param part the original part
   * @param units 1 or more; all credits of a part together never exceed what was billed for it
   */
  record Credit(Id128 commandId, Id128 requestId, int part, long units) implements OperatorCommand {
    /** Refuses fewer than one unit. */
    public Credit {
      requirePositive("credit", units);
    }
  }

  /**
   * Sets, replaces or clears the schedule (R14).
   *
   * @param commandId its id
   * @param schedule the new schedule, or null to clear
   * @param effective at the next boundary, or now
   */
  record SetSchedule(Id128 commandId, @Nullable BudgetSchedule schedule, Effective effective)
      implements OperatorCommand {
    /** When a change takes effect. */
    public enum Effective {
      /**
       * At the next boundary; a first schedule funds the current period once. A calendar period
       * that was funded before, under whatever schedule, is not funded again.
       */
      BOUNDARY,
      /** At once: a crossing with the new amount. */
      NOW
    }

    /** Refuses to clear at once: a cleared schedule lets the current allowance run out. */
    public SetSchedule {
      if (schedule == null && effective == Effective.NOW) {
        throw new IllegalArgumentException(
            "a schedule is cleared at its boundary; to end spending now, suspend the account");
      }
    }
  }

  /**
   * Changes the status (R18).
   *
   * @param commandId its id
   * @param status the new status
   */
  record SetStatus(Id128 commandId, AccountStatus status) implements OperatorCommand {}

  /**
   * Changes the capacity class (R31).
   *
   * @param commandId its id
   * @param capacityClass the new class
   */
  record SetCapacityClass(Id128 commandId, CapacityClass capacityClass)
      implements OperatorCommand {}

  /**
   * Replaces the terms (R18).
   *
   * @param commandId its id
   * @param terms the new terms
   */
  record SetTerms(Id128 commandId, AccountTerms terms) implements OperatorCommand {}

  /**
   * Takes a lease.
   *
   * @param leaseId the new lease's id
   * @param holder who will spend it
   * @param policy how large it should be
   * @param ttlNanos how long it lasts, 1 or more
   * @param demandUnits the largest quote the holder could not fund, 0 for none
   */
  record Acquire(Id128 leaseId, Id128 holder, GrantPolicy policy, long ttlNanos, long demandUnits)
      implements LeaseCommand {
    /** Refuses a lease that lasts no time and a negative demand. */
    public Acquire {
      requirePositive("time to live", ttlNanos);
      requireNotNegative("demand", demandUnits);
    }
  }

  /**
   * Gives the free units of one lease back and takes a new lease, in one step (R2, R3).
   *
   * @param leaseId the new lease's id
   * @param holder who will spend it
   * @param oldLeaseId the lease whose free units go back; it stays active with what runs on it
   * @param oldFence its fence
   * @param freeUnits exactly the units the holder took off its counter
   * @param policy how large the new lease should be
   * @param ttlNanos how long it lasts, 1 or more
   * @param demandUnits the largest quote the old lease refused for want of units, 0 for none
   */
  record Consolidate(
      Id128 leaseId,
      Id128 holder,
      Id128 oldLeaseId,
      long oldFence,
      long freeUnits,
      GrantPolicy policy,
      long ttlNanos,
      long demandUnits)
      implements LeaseCommand {
    /** Refuses a lease that lasts no time, and negative units. */
    public Consolidate {
      requirePositive("time to live", ttlNanos);
      requireNotNegative("free units", freeUnits);
      requireNotNegative("demand", demandUnits);
    }
  }

  /**
   * Gives free units back; the lease stays active.
   *
   * @param leaseId the lease
   * @param fence its fence
   * @param step its next step
   * @param units 0 or more
   */
  record Return(Id128 leaseId, long fence, long step, long units) implements LeaseStepCommand {
    /** Refuses negative units. */
    public Return {
      requirePositive("step", step);
      requireNotNegative("returned units", units);
    }
  }

  /**
   * Moves the expiry of a lease with work running; grants nothing.
   *
   * @param leaseId the lease
   * @param fence its fence
   * @param step its next step
   * @param ttlNanos how long it lasts from now, 1 or more
   */
  record Renew(Id128 leaseId, long fence, long step, long ttlNanos) implements LeaseStepCommand {
    /** Refuses a lease that lasts no time. */
    public Renew {
      requirePositive("step", step);
      requirePositive("time to live", ttlNanos);
    }
  }

  /**
   * Ends a lease. What is neither returned nor billed becomes provisional loss (R12).
   *
   * @param leaseId the lease
   * @param fence its fence
   * @param step its next step
   * @param unspentUnits units given back, 0 or more
   */
  record Release(Id128 leaseId, long fence, long step, long unspentUnits)
      implements LeaseStepCommand {
    /** Refuses negative units. */
    public Release {
      requirePositive("step", step);
      requireNotNegative("unspent units", unspentUnits);
    }
  }

  /**
   * Records usage events, each classified once (R20).
   *
   * @param events 1 to {@value #MAX_EVENTS} events
   */
  record RecordUsage(List<UsageEvent> events) implements HolderCommand {
    /** Events one command can carry. */
    public static final int MAX_EVENTS = 512;

    /** Refuses an empty and an overfull batch. */
    public RecordUsage {
      events = List.copyOf(events);
      if (events.isEmpty() || events.size() > MAX_EVENTS) {
        throw new IllegalArgumentException(
            "a usage batch holds 1 to " + MAX_EVENTS + " events, not " + events.size());
      }
    }
  }

  /**
   * Writes off the leases that are due at a cutoff (R12, R19).
   *
   * @param cutoffNanos leases with {@code expires_at + grace ≤ min(cutoff, ledger time)} are due
   */
  record Reclaim(long cutoffNanos) implements LedgerCommand {}

  /** Crosses a due boundary and does nothing else; the sweep's command for idle accounts (R14). */
  record Cross() implements LedgerCommand {}

  private static void requirePositive(String what, long value) {
    if (value < 1) {
      throw new IllegalArgumentException("a " + what + " is 1 or more, not " + value);
    }
  }

  private static void requireNotNegative(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(what + " cannot be negative: " + value);
    }
  }
}
