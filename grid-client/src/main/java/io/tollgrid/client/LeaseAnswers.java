package io.tollgrid.client;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what came of an account's lease commands: in the books, in the slot, in the demand.
 * It keeps nothing itself. Confined to the instance's thread.
 */
final class LeaseAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseAnswers.class);

  /** How long a refusal by status stands before the ledger is asked again. */
  private static final long STATUS_HOLD_NANOS = Duration.ofSeconds(1).toNanos();

  /** How long an account is taken not to exist before the ledger is asked again (R38). */
  private static final long UNKNOWN_HOLD_NANOS = Duration.ofSeconds(5).toNanos();

  private final RefillState state;

  LeaseAnswers(final RefillState state) {
    this.state = state;
  }

  /** A grant took effect. */
  void granted(final PendingCommand command, final Outcome.Granted granted) {
    final long nowNanos = state.nowNanos();
    if (command.book != null) {
      state.books.folded(command.book, command.endsItsLease);
    }
    final HeldLease lease =
        new HeldLease(
            granted.leaseId(),
            granted.fence(),
            granted.units(),
            granted.expiresAtNanos(),
            state.settings().marginNanos(),
            granted.units() / state.settings().lowWaterShare(),
            state.account.shards());
    final boolean wanted =
        state.mode == RefillState.Mode.RUNNING
            && lease.usableAt(nowNanos)
            && isBetter(command, granted.units());
    state.slot().evidence(granted.evidence(), granted.units(), command.fundingEpoch);
    state.books.add(lease, wanted, nowNanos);
    state.lastGrantWasShort = granted.units() < command.targetUnits;
    state.recall.granted();
    state.account.liftHold();
    state.demand =
        state.demand.answered(
            command.demandUnits, granted.units(), granted.evidence(), state.context);
    state.changed();
  }

  /** A top-up that brought less than is still free would leave requests with less than before. */
  private boolean isBetter(final PendingCommand command, final long grantedUnits) {
    final LeaseBook current = state.books.current();
    return command.demandUnits > 0
        || command.book != null
        || current == null
        || grantedUnits > current.lease().freeUnits();
  }

  /** A step on a lease took effect. */
  void stepped(final PendingCommand command, final LeaseBook book, final Outcome.Stepped stepped) {
    book.stepped();
    book.returned(command.units);
    if (command.command instanceof LedgerCommand.Renew) {
      book.lease().renewed(stepped.receipt().expiresAtNanos(), state.settings().marginNanos());
    } else if (command.command instanceof LedgerCommand.Release) {
      state.books.close(book);
      if (stepped.receipt().lossUnits() > 0) {
        LOG.warn(
            "account {}: {} ended with {} units that were spent and never billed",
            state.account.id(),
            book.lease(),
            stepped.receipt().lossUnits());
      }
    }
  }

  /** The command was refused and will never act. */
  void refused(final PendingCommand command, final Outcome.Refused refused) {
    final LeaseBook book = command.book;
    switch (refused.reason()) {
      case CAPABILITY, BEYOND_LEASE, STEP_GAP, STEP_SUPERSEDED, CONFLICT -> {
        // What it carried is reported with the lease.
        didNotHappen(command);
        state.fault(
            "the ledger refused "
                + command.command
                + " as "
                + refused.reason()
                + ": the books of this instance and of the ledger disagree");
      }
      case LEASE_ENDED -> {
        if (book == null) {
          nonsense(command, refused);
        } else {
          ended(command, book);
        }
      }
      case BALANCE_EXHAUSTED, BALANCE_INSUFFICIENT -> {
        if (book == null) {
          outOfUnits(command, refused);
        } else {
          // A refused consolidation certifies nothing (R3); the next question is asked without one.
          didNotHappen(command);
          book.refuseFolds();
          state.changed();
        }
      }
      case UNKNOWN_ACCOUNT -> {
        didNotHappen(command);
        hold(Denial.UNKNOWN_PRINCIPAL, UNKNOWN_HOLD_NANOS);
      }
      case ACCOUNT_SUSPENDED -> {
        didNotHappen(command);
        hold(Denial.ACCOUNT_SUSPENDED, STATUS_HOLD_NANOS);
      }
      case ACCOUNT_CLOSED -> {
        didNotHappen(command);
        hold(Denial.ACCOUNT_CLOSED, STATUS_HOLD_NANOS);
      }
      default -> {
        didNotHappen(command);
        state.demand = state.demand.refused(state.context);
        state.quiet();
        // A grid that is behind refuses everybody for a while: that is told once it lasts (R40).
        if (Backoff.isWorthAWarning(state.failures)) {
          LOG.warn(
              "account {}: {} was refused as {}",
              state.account.id(),
              command.command,
              refused.reason());
        }
        state.changed();
      }
    }
  }

  /** The command was given up before any attempt of it can have taken effect. */
  void failed(final PendingCommand command) {
    didNotHappen(command);
    state.changed();
  }

  /** The ledger gave an answer that no such command can have. */
  void nonsense(final PendingCommand command, final Outcome outcome) {
    state.fault("the ledger answered " + outcome + " to " + command.command);
  }

  private void outOfUnits(final PendingCommand command, final Outcome.Refused refused) {
    state.slot().evidence(refused.evidence(), 0, command.fundingEpoch);
    state.lastGrantWasShort = true;
    state.demand = state.demand.answered(command.demandUnits, 0, refused.evidence(), state.context);
    state.changed();
  }

  /**
   * Takes back what a command carried that never happened: spendable again if that was known all
   * along, else it goes home with a step of its own (R3, R35).
   */
  private void didNotHappen(final PendingCommand command) {
    final LeaseBook book = command.book;
    if (book == null) {
      return;
    }
    if (command.command instanceof LedgerCommand.Renew) {
      book.postpone(state.nowNanos() + state.settings().backstopNanos());
    } else if (command.command instanceof LedgerCommand.Consolidate) {
      book.postpone(state.nowNanos() + state.settings().backstopNanos());
      if (command.wasEverUnknown()) {
        book.neverArrived(command.units);
        state.books.displaceCurrent(state.nowNanos());
      } else {
        book.lease().putBack(command.units);
      }
    }
  }

  private void hold(final Denial denial, final long holdNanos) {
    state.account.hold(denial, state.nowNanos() + holdNanos);
    state.demand = state.demand.refused(state.context);
    state.quiet();
    state.changed();
  }

  /** The ledger has ended the lease already: what was still on it is forfeited (R12). */
  private void ended(final PendingCommand command, final LeaseBook book) {
    final long carried = command.command instanceof LedgerCommand.Consolidate ? command.units : 0;
    final long lost =
        Math.addExact(
            carried, Math.addExact(book.returningUnits(), book.lease().unaccountedUnits()));
    state.books.close(book);
    if (lost > 0) {
      state.context.refills().forfeitedUnits.add(lost);
      LOG.warn(
          "account {}: {} was reclaimed with {} units not returned or billed",
          state.account.id(),
          book.lease(),
          lost);
    }
    state.changed();
  }
}
