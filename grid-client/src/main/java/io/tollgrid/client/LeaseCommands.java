package io.tollgrid.client;

import io.tollgrid.grid.Change;
import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends an account's lease commands, one at a time, and lets the account keep the one whose outcome
 * nobody can tell. It keeps nothing itself. Confined to the instance's thread.
 */
final class LeaseCommands {
  /*
   * Unknown outcomes (R3, R35). Such a command is parked and repeated as it is, id and body, until the ledger answers
   * with its receipt or with a refusal later than any attempt can act. The units it carries stay off every counter
   * meanwhile.
   */
  private static final Logger LOG = LoggerFactory.getLogger(LeaseCommands.class);

  private final RefillState state;

  /** The commands of an account. */
  LeaseCommands(final RefillState state) {
    this.state = state;
  }

  /**
   * Nobody here will take note of what became of the command that is open: it stays uncertain until
   * what it may have been granted has expired (R35).
   */
  void lose() {
    final PendingCommand lost = state.pending;
    state.pending = null;
    if (lost != null) {
      if (!lost.wasEverUnknown()) {
        state.context.refills().uncertain(lost, 1);
      }
      final long expiredAtNanos =
          Math.addExact(
              Math.addExact(state.nowNanos(), state.settings().notAfterNanos()),
              state.settings().ttlNanos());
      state
          .context
          .loop()
          .callOn(
              new Duty() {
                @Override
                long perform(final long nowNanos) {
                  if (nowNanos < expiredAtNanos) {
                    return expiredAtNanos;
                  }
                  state.context.refills().uncertain(lost, -1);
                  return NEVER;
                }
              },
              expiredAtNanos);
    }
  }

  /** Takes a new lease; for a demand, or 0 to top up. */
  void acquire(final long demandUnits) {
    final GrantPolicy policy = policyFor(demandUnits);
    state.context.refills().acquires.increment();
    send(
        new PendingCommand(
            new LedgerCommand.Acquire(
                state.context.ids().randomId(),
                state.context.holder(),
                policy,
                state.settings().ttlNanos(),
                demandUnits),
            null,
            0,
            demandUnits,
            policy.targetUnits(),
            state.slot().fundingEpoch()));
  }

  /**
   * Folds {@code freeUnits}, which were drained from the lease of {@code book}, into a new lease.
   */
  void consolidate(final LeaseBook book, final long freeUnits, final long demandUnits) {
    final GrantPolicy policy = policyFor(demandUnits);
    state.context.refills().consolidations.increment();
    send(
        new PendingCommand(
            new LedgerCommand.Consolidate(
                state.context.ids().randomId(),
                state.context.holder(),
                book.lease().id(),
                book.lease().fence(),
                freeUnits,
                policy,
                state.settings().ttlNanos(),
                demandUnits),
            book,
            freeUnits,
            demandUnits,
            policy.targetUnits(),
            state.slot().fundingEpoch()));
  }

  /** Gives back what was collected from a lease on which work still runs. */
  void giveBack(final LeaseBook book) {
    state.context.refills().returns.increment();
    sendStep(
        new LedgerCommand.Return(
            book.lease().id(), book.lease().fence(), book.nextStep(), book.returningUnits()),
        book,
        book.returningUnits());
  }

  /** Ends a lease of which everything is accounted for. */
  void release(final LeaseBook book) {
    state.context.refills().releases.increment();
    sendStep(
        new LedgerCommand.Release(
            book.lease().id(), book.lease().fence(), book.nextStep(), book.returningUnits()),
        book,
        book.returningUnits());
  }

  /** Moves the end of a lease on which work runs. */
  void renew(final LeaseBook book) {
    state.context.refills().renewals.increment();
    sendStep(
        new LedgerCommand.Renew(
            book.lease().id(), book.lease().fence(), book.nextStep(), state.settings().ttlNanos()),
        book,
        0);
  }

  /** Repeats a parked command as it is. */
  void repeat() {
    final PendingCommand pending = state.pending;
    if (pending == null || pending.isUnderWay()) {
      throw new IllegalStateException("no command of account " + state.account.id() + " is parked");
    }
    send(pending);
  }

  private GrantPolicy policyFor(final long demandUnits) {
    return state.sizing.policy(state.slot().largestQuoteUnits(), demandUnits, state.settings());
  }

  private void sendStep(
      final LedgerCommand.LeaseStepCommand step, final LeaseBook book, final long units) {
    send(new PendingCommand(step, book, units, 0, 0, state.slot().fundingEpoch()));
  }

  private void send(final PendingCommand command) {
    if (state.pending != null && state.pending != command) {
      throw new IllegalStateException(
          "a second command for account " + state.account.id() + " while one is under way");
    }
    state.pending = command;
    final long notAfterNanos = Math.addExact(state.nowNanos(), state.settings().notAfterNanos());
    command.sent(notAfterNanos);
    state
        .context
        .ledgers()
        .send(
            state.account.id(),
            command.command,
            notAfterNanos,
            new Ledgers.Reply() {
              @Override
              public void answered(final LedgerAnswer answer) {
                if (command == state.pending) {
                  state.survive(() -> LeaseCommands.this.answered(command, answer));
                }
              }

              @Override
              public void failed(
                  final LedgerCode code, final boolean mayHaveHappened, final Throwable failure) {
                if (command == state.pending) {
                  state.survive(
                      () -> LeaseCommands.this.failed(command, code, mayHaveHappened, failure));
                }
              }
            });
  }

  private void answered(final PendingCommand command, final LedgerAnswer answer) {
    state.recall.seen(answer.recall(), state.nowNanos());
    sendWord(answer.recall());
    final Outcome outcome = answer.outcome();
    state.shown.said(evidenceIn(outcome), answer.ledgerTimeNanos());
    if (outcome instanceof Outcome.Refused && !command.isDisprovedBy(answer.ledgerTimeNanos())) {
      // An earlier attempt may still be on its way and act after this refusal (R3).
      command.waitUntil(
          state.nowNanos()
              + Backoff.jittered(state.settings().backstopNanos(), state.context.random()));
      return;
    }
    final LeaseBook book = command.book;
    final LeaseAnswers answers = new LeaseAnswers(state);
    if (outcome instanceof Outcome.Granted granted) {
      state.failures = 0;
      answers.granted(command, granted);
    } else if (outcome instanceof Outcome.Stepped stepped && book != null) {
      state.failures = 0;
      answers.stepped(command, book, stepped);
    } else if (outcome instanceof Outcome.Refused refused) {
      state.context.refills().refusals.increment();
      answers.refused(command, refused);
    } else {
      answers.nonsense(command, outcome);
    }
    settled(command);
  }

  private void failed(
      final PendingCommand command,
      final LedgerCode code,
      final boolean mayHaveHappened,
      final Throwable failure) {
    state.quiet();
    if (Backoff.isWorthAWarning(state.failures)) {
      LOG.warn(
          "account {}: no answer to {} ({}); requests live on what is held until there is one",
          state.account.id(),
          command.command,
          code);
    }
    LOG.debug("account {}: {} failed", state.account.id(), command.command, failure);
    if (mayHaveHappened || command.wasEverUnknown()) {
      state.context.refills().parked.increment();
      if (!command.wasEverUnknown()) {
        state.context.refills().uncertain(command, 1);
      }
      command.unknown(state.quietUntilNanos);
    } else {
      new LeaseAnswers(state).failed(command);
      settled(command);
    }
  }

  private void settled(final PendingCommand command) {
    if (command.wasEverUnknown()) {
      state.context.refills().uncertain(command, -1);
    }
    state.pending = null;
  }

  private static @Nullable Evidence evidenceIn(final Outcome outcome) {
    if (outcome instanceof Outcome.Granted granted) {
      return granted.evidence();
    }
    return outcome instanceof Outcome.Refused refused ? refused.evidence() : null;
  }

  /** Those who hold what this account lacks here need not wait until they look (R2). */
  private void sendWord(final @Nullable Recall recall) {
    if (recall != null && state.recall.isNews(recall, state.nowNanos())) {
      state.context.changes().publish(new Change.UnitsRecalled(state.account.id(), recall));
    }
  }
}
