package io.tollgrid.ledger;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one function that changes an account.
 *
 * <p>It is total: every request has an outcome, and whatever is not {@link Outcome.Applied} moved
 * nothing but a due period boundary. The order is fixed: the command's own id first (R16), then its
 * deadline, then a due boundary (R14), then the command.
 */
public final class Ledger {
  private Ledger() {}

  /**
   * Decides {@code request}.
   *
   * @param before the ledger, or null if there is no such account
   * @param clockNanos the processing member's clock, epoch nanoseconds; ledger time is this or the
   *     ledger's own {@code as_of}, whichever is later (R57)
   * @throws IllegalArgumentException if the request is for another account
   * @throws CorruptLedgerException if the ledger and the rows it is decided on contradict each
   *     other
   */
  public static Decision apply(
      @Nullable AccountLedger before, LedgerRequest request, long clockNanos, LedgerLimits limits) {
    if (before != null && !before.id().equals(request.account())) {
      throw new IllegalArgumentException(
          "a request for account " + request.account() + " reached the ledger of " + before.id());
    }
    final long nowNanos = before == null ? clockNanos : Math.max(clockNanos, before.asOfNanos());
    final Attempt attempt = new Attempt(request);
    final Outcome known = Replays.find(before, attempt);
    if (attempt.needsRows()) {
      return attempt.rowsNeeded();
    }
    if (attempt.outdated()) {
      return attempt.outdatedEntry();
    }
    if (known != null) {
      return attempt.check(before, nowNanos, known, 0);
    }
    if (nowNanos > request.notAfterNanos()) {
      return attempt.check(before, nowNanos, Outcome.Refused.because(Refusal.EXPIRED), 0);
    }
    if (before == null) {
      return withoutAccount(attempt, nowNanos);
    }
    try {
      return applyTo(before, attempt, new LedgerDraft(before, nowNanos, limits));
    } catch (ArithmeticException e) {
      return attempt.check(before, nowNanos, Outcome.Refused.because(Refusal.BALANCE_OVERFLOW), 0);
    }
  }

  /**
   * The rows whose existence means that this very command took effect before, in a fixed order:
   * what to fetch when a store answers {@link LedgerCode#REPLAY}.
   */
  public static Set<RowKey> ownRows(LedgerCommand command) {
    final Set<RowKey> keys = new LinkedHashSet<>();
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      keys.add(new RowKey.CommandKey(operator.commandId()));
    } else if (command instanceof LedgerCommand.Acquire acquire) {
      keys.add(new RowKey.LeaseKey(acquire.leaseId()));
    } else if (command instanceof LedgerCommand.Consolidate consolidate) {
      keys.add(new RowKey.LeaseKey(consolidate.leaseId()));
    } else if (command instanceof LedgerCommand.RecordUsage usage) {
      for (final UsageEvent event : usage.events()) {
        keys.add(new RowKey.UsageKey(event.requestId(), event.part()));
        keys.add(new RowKey.DeliveryKey(event.writer(), event.sequence()));
      }
    }
    return keys;
  }

  private static Decision withoutAccount(Attempt attempt, long nowNanos) {
    final LedgerCommand command = attempt.request().command();
    if (command instanceof LedgerCommand.Create create) {
      return OperatorCommands.create(attempt, create, nowNanos);
    }
    return command instanceof LedgerCommand.RecordUsage usage
        ? UsageRecording.withoutAccount(attempt, usage.events(), nowNanos)
        : attempt.check(null, nowNanos, Outcome.Refused.because(Refusal.UNKNOWN_ACCOUNT), 0);
  }

  /**
   * What a batch was answered, as the rows of its own keys tell.
   *
   * @param rows the rows under {@link #ownRows}, those that exist
   * @return the first classification of each event; empty if any of them has none
   */
  public static Optional<Outcome.UsageRecorded> usageOnRecord(
      LedgerCommand.RecordUsage command, Map<RowKey, Optional<StoredRow>> rows) {
    return Optional.ofNullable(
        UsageRecording.allOnRecord(
            command.events(), key -> rows.getOrDefault(key, Optional.empty()).orElse(null)));
  }

  private static Decision applyTo(AccountLedger before, Attempt attempt, LedgerDraft draft) {
    draft.crossIfDue();
    final boolean crossed = draft.changed();
    final Result result = run(attempt, draft);
    if (attempt.needsRows()) {
      return attempt.rowsNeeded();
    }
    if (attempt.outdated()) {
      return attempt.outdatedEntry();
    }
    if (!draft.changed()) {
      return attempt.check(before, draft.nowNanos(), result.outcome(), result.unmetDemandUnits());
    }
    assert crossed || !(result.outcome() instanceof Outcome.Refused)
        : "a refusal changed the ledger";
    final AccountLedger next = draft.freeze();
    final Effects effects =
        new Effects(
            attempt.request(),
            result.outcome(),
            before.version(),
            draft.nowNanos(),
            true,
            draft.inserted(),
            draft.updated(),
            draft.funding(),
            OperatorCommands.rowOf(attempt.request(), result.outcome()),
            result.usage(),
            result.rejected(),
            result.credit(),
            attempt.absent(),
            attempt.present());
    return new Decision(result.outcome(), next, effects, result.unmetDemandUnits());
  }

  private static Result run(Attempt attempt, LedgerDraft draft) {
    final LedgerCommand command = attempt.request().command();
    final Refusal forbidden = StatusRules.refusal(draft.policy().status(), command);
    if (forbidden != null) {
      return Result.refused(forbidden);
    }
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      return OperatorCommands.run(attempt, draft, operator);
    }
    if (command instanceof LedgerCommand.RecordUsage usage) {
      return new UsageRecording(attempt, draft).run(usage.events());
    }
    if (command instanceof LedgerCommand.HolderCommand holder) {
      return LeaseCommands.run(attempt, draft, holder);
    }
    if (command instanceof LedgerCommand.Reclaim reclaim) {
      return LeaseCommands.reclaim(draft, reclaim.cutoffNanos());
    }
    return draft.changed()
        ? Result.of(new Outcome.Crossed(draft.period().number(), draft.version()))
        : Result.refused(Refusal.NOT_DUE);
  }

  /**
   * What a command's own part of the decision produced, beside what it did to the draft.
   *
   * @param outcome the answer
   * @param unmetDemandUnits see {@link Decision#unmetDemandUnits}
   * @param usage accepted events
   * @param rejected rejected events
   * @param credit the correction, if the command is one
   */
  record Result(
      Outcome outcome,
      long unmetDemandUnits,
      List<Effects.UsageEntry> usage,
      List<Effects.UsageEntry> rejected,
      Effects.@Nullable CreditEntry credit) {
    static Result of(Outcome outcome) {
      return new Result(outcome, 0, List.of(), List.of(), null);
    }

    static Result refused(Refusal reason) {
      return of(Outcome.Refused.because(reason));
    }

    static Result usage(
        List<UsageVerdict> verdicts,
        List<Effects.UsageEntry> accepted,
        List<Effects.UsageEntry> rejected) {
      return new Result(
          new Outcome.UsageRecorded(verdicts),
          0,
          new ArrayList<>(accepted),
          new ArrayList<>(rejected),
          null);
    }

    Result withUnmetDemand(long units) {
      return new Result(outcome, units, usage, rejected, credit);
    }
  }
}
