package io.tollgrid.verification.faults.check;

import io.tollgrid.grid.usage.UsageRecorder;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.pipelines.Pipelines;
import io.tollgrid.verification.faults.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges one account: replays its journal, meets every refusal at the version it was given at, then
 * compares what the replay holds with what PostgreSQL holds and with what clients were told.
 *
 * <p>A replay that was contradicted stops there: what follows from a wrong state says nothing. Used
 * once, by one thread.
 */
final class AccountCheck {
  private final AccountEvidence evidence;
  private final Findings findings;
  private final ReplayedAccount replay;
  private final Map<Long, JournalRow> journal = new HashMap<>();
  private final Map<Long, List<Operation>> refusedAt = new HashMap<>();
  private boolean contradicted;

  private AccountCheck(AccountEvidence evidence, LedgerLimits limits) {
    this.evidence = evidence;
    this.findings = new Findings(evidence.account());
    this.replay = new ReplayedAccount(limits);
    evidence.journal().forEach(row -> journal.put(row.version(), row));
  }

  /**
   * Every violation on one account.
   *
   * @param limits the bounds the members kept
   * @param visibleWithinNanos how long after its commit a transition is seen by every later check
   */
  static List<Violation> check(
      AccountEvidence evidence, LedgerLimits limits, long visibleWithinNanos) {
    final AccountCheck check = new AccountCheck(evidence, limits);
    check.everyTransitionWasAskedFor();
    check.replayJournal();
    if (!check.contradicted) {
      new StoredCheck(check.findings).compare(check.replay, evidence.stored());
      new AnswerCheck(check.findings, check.replay.rows(), check.journal).check(evidence);
    }
    if (evidence.stored() != null) {
      new BooksCheck(check.findings).check(evidence.stored());
    }
    new OrderCheck(check.findings, visibleWithinNanos).check(evidence);
    return check.findings.all();
  }

  private void everyTransitionWasAskedFor() {
    final Set<LedgerCommand> asked = new HashSet<>();
    evidence.operations().forEach(operation -> asked.add(operation.request().command()));
    for (final JournalRow row : evidence.journal()) {
      if (!asked.contains(row.request().command()) && !isTheNodesOwn(row.request())) {
        findings.add(
            Violation.Kind.NOBODY_ASKED,
            row.request().command(),
            "a submission of the command of version " + row.version(),
            "none in any history");
      }
    }
  }

  /**
   * The node's own sweeps write no history; nor does the recorder of usage, whose events others
   * left.
   */
  private static boolean isTheNodesOwn(LedgerRequest request) {
    return switch (request.actor()) {
      case Pipelines.ACTOR ->
          request.command() instanceof LedgerCommand.Reclaim
              || request.command() instanceof LedgerCommand.Cross;
      case UsageRecorder.ACTOR -> request.command() instanceof LedgerCommand.RecordUsage;
      default -> false;
    };
  }

  private void replayJournal() {
    for (final Operation operation : evidence.operations()) {
      final Operation.Answered answer = operation.answered();
      if (answer != null && answer.outcome() instanceof Outcome.Refused) {
        refusedAt.computeIfAbsent(answer.version(), v -> new ArrayList<>()).add(operation);
      }
    }
    meetRefusals();
    for (final JournalRow row : evidence.journal()) {
      if (row.version() != replay.version() + 1) {
        findings.add(
            Violation.Kind.JOURNAL_GAP,
            row.request().command(),
            "version " + (replay.version() + 1) + " next",
            "version " + row.version());
        contradicted = true;
        return;
      }
      if (!step(row)) {
        contradicted = true;
        return;
      }
      meetRefusals();
    }
    refusedAt.keySet().stream()
        .filter(version -> version > replay.version())
        .sorted()
        .forEach(this::beyondTheJournal);
  }

  private boolean step(JournalRow row) {
    final Decision decision = replay.decide(row.request(), row.ledgerTimeNanos());
    final Effects effects = decision.effects();
    if (effects == null || !effects.writes()) {
      findings.add(
          decision.outcome() instanceof Outcome.Applied
              ? Violation.Kind.APPLIED_TWICE
              : Violation.Kind.JOURNAL_CONTRADICTED,
          row.request().command(),
          "nothing written after version " + replay.version() + ", for it is " + decision.outcome(),
          "version " + row.version() + " with " + row.outcome());
      return false;
    }
    if (!decision.outcome().equals(row.outcome())
        || effects.ledgerTimeNanos() != row.ledgerTimeNanos()) {
      findings.add(
          Violation.Kind.JOURNAL_CONTRADICTED,
          row.request().command(),
          decision.outcome() + " at ledger time " + effects.ledgerTimeNanos(),
          row.outcome() + " at " + row.ledgerTimeNanos() + " as version " + row.version());
      return false;
    }
    replay.take(decision);
    final var ledger = replay.ledger();
    if (ledger != null) {
      final AccountNumbers numbers = AccountNumbers.of(ledger);
      final Map<String, Long> unlike = row.after().unlike(numbers);
      if (!unlike.isEmpty()) {
        findings.add(
            Violation.Kind.JOURNAL_CONTRADICTED,
            row.request().command(),
            numbers.unlike(row.after()) + " after version " + row.version(),
            unlike.toString());
        return false;
      }
    }
    return true;
  }

  private void meetRefusals() {
    for (final Operation operation : refusedAt.getOrDefault(replay.version(), List.of())) {
      if (operation.ending() instanceof Operation.Answered answer
          && answer.outcome() instanceof Outcome.Refused refused
          && refused.reason() != Refusal.UNAUTHENTICATED
          && !isWritten(operation, answer)) {
        meet(operation, answer, refused);
      }
    }
  }

  /** A refusal that crossed a due boundary is a version of its own, which the replay has judged. */
  private boolean isWritten(Operation operation, Operation.Answered answer) {
    final JournalRow row = journal.get(answer.version());
    return row != null
        && row.request().command().equals(operation.request().command())
        && row.outcome().equals(answer.outcome());
  }

  private void meet(Operation operation, Operation.Answered answer, Outcome.Refused refused) {
    final LedgerRequest request = operation.request();
    final Decision decision = replay.decide(request, clockOf(request, answer, refused.reason()));
    final Effects effects = decision.effects();
    final boolean agrees =
        decision.outcome().equals(refused)
            && effects != null
            && !effects.writes()
            && (refused.reason() == Refusal.UNKNOWN_ACCOUNT
                || effects.ledgerTimeNanos() == answer.ledgerTimeNanos());
    if (!agrees) {
      findings.add(
          Violation.Kind.REFUSAL_CONTRADICTED,
          request.command(),
          decision.outcome()
              + (effects != null && effects.writes() ? " (written)" : "")
              + " at version "
              + answer.version()
              + " and ledger time "
              + answer.ledgerTimeNanos(),
          refused + " as told to " + operation);
    }
  }

  /**
   * The clock a refusal is met with. That there is no such account is told by a failure which
   * carries no ledger time, whatever the command's deadline: it is met at the deadline at the
   * latest.
   */
  private static long clockOf(LedgerRequest request, Operation.Answered answer, Refusal reason) {
    return reason == Refusal.UNKNOWN_ACCOUNT
        ? Math.min(answer.ledgerTimeNanos(), request.notAfterNanos())
        : answer.ledgerTimeNanos();
  }

  private void beyondTheJournal(long version) {
    for (final Operation operation : refusedAt.getOrDefault(version, List.of())) {
      findings.add(
          Violation.Kind.REFUSAL_CONTRADICTED,
          operation.request().command(),
          "a journal that reaches version " + version,
          "one that ends at " + replay.version());
    }
  }
}
