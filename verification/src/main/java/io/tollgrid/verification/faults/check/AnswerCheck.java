package io.tollgrid.verification.faults.check;

import io.tollgrid.grid.usage.UsageRecorder;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.verification.faults.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what clients were told in the journal and in the rows it adds up to: an acknowledged effect
 * must be there with equal values, a denied one must not be.
 */
final class AnswerCheck {
  private final Findings findings;
  private final Map<RowKey, StoredRow> rows;
  private final Map<Long, JournalRow> journal;

  /** The transitions that applied each command, oldest first. */
  private final Map<LedgerCommand, List<JournalRow>> applied = new HashMap<>();

  private final Map<LedgerCommand, Integer> submissions = new HashMap<>();
  private final Map<Long, Operation> sweepAt = new HashMap<>();

  AnswerCheck(Findings findings, Map<RowKey, StoredRow> rows, Map<Long, JournalRow> journal) {
    this.findings = findings;
    this.rows = rows;
    this.journal = journal;
    journal.values().stream()
        .filter(row -> row.outcome() instanceof Outcome.Applied)
        .forEach(
            row ->
                applied.computeIfAbsent(row.request().command(), c -> new ArrayList<>(1)).add(row));
  }

  void check(AccountEvidence evidence) {
    evidence
        .operations()
        .forEach(operation -> submissions.merge(operation.request().command(), 1, Integer::sum));
    for (final Operation operation : evidence.operations()) {
      if (operation.ending() instanceof Operation.Answered answer) {
        if (answer.outcome() instanceof Outcome.Applied outcome) {
          acknowledged(operation, answer, outcome);
        } else {
          denied(operation, "refused: " + answer.outcome());
        }
      } else if (operation.ending() instanceof Operation.GaveUp end && !end.mayHaveHappened()) {
        denied(operation, "given up with " + end.code() + ", certainly without effect");
      }
    }
  }

  private void acknowledged(
      Operation operation, Operation.Answered answer, Outcome.Applied outcome) {
    final LedgerCommand command = operation.request().command();
    if (answer.version() > journal.size()) {
      lost(operation, "a journal that reaches version " + answer.version(), journal.size() + "");
    } else if (command instanceof LedgerCommand.RecordUsage usage) {
      usage(operation, usage, outcome);
    } else if (command instanceof LedgerCommand.Reclaim || command instanceof LedgerCommand.Cross) {
      sweep(operation, answer);
    } else {
      receipt(operation, command, outcome);
    }
  }

  /** A command with an id of its own: the one transition that applied it has its receipt. */
  private void receipt(Operation operation, LedgerCommand command, Outcome.Applied told) {
    final List<JournalRow> transitions = applied.getOrDefault(command, List.of());
    if (transitions.size() != 1) {
      lost(
          operation,
          "one transition that applied it, for " + told + " was acknowledged",
          transitions.size() + " of them");
      return;
    }
    final Outcome stored = transitions.get(0).outcome();
    if (!stored.equals(told) && !isReceiptFromRow(told, stored)) {
      lost(operation, told + " as acknowledged", stored + " in the journal");
    }
  }

  /** A retry of a grant is answered from the lease's row, which keeps no evidence. */
  private static boolean isReceiptFromRow(Outcome.Applied told, Outcome stored) {
    return told instanceof Outcome.Granted now
        && stored instanceof Outcome.Granted then
        && now.evidence() == null
        && now.restoredUnits() == 0
        && now.leaseId().equals(then.leaseId())
        && now.fence() == then.fence()
        && now.units() == then.units()
        && now.expiresAtNanos() == then.expiresAtNanos();
  }

  /** Idempotent by state: the acknowledgement belongs to exactly one transition, at its version. */
  private void sweep(Operation operation, Operation.Answered answer) {
    final JournalRow row = journal.get(answer.version());
    if (row == null
        || !row.request().command().equals(operation.request().command())
        || !row.outcome().equals(answer.outcome())) {
      lost(
          operation,
          answer.outcome() + " as version " + answer.version(),
          row == null ? "no such version" : row.outcome().toString());
      return;
    }
    final Operation other = sweepAt.putIfAbsent(answer.version(), operation);
    if (other != null) {
      lost(
          operation, "one acknowledgement of version " + answer.version(), "also told to " + other);
    }
  }

  private void usage(
      Operation operation, LedgerCommand.RecordUsage command, Outcome.Applied outcome) {
    if (!(outcome instanceof Outcome.UsageRecorded recorded)
        || recorded.verdicts().size() != command.events().size()) {
      lost(operation, "a verdict for each event", outcome.toString());
      return;
    }
    for (int i = 0; i < command.events().size(); i++) {
      final UsageEvent event = command.events().get(i);
      final UsageVerdict told = recorded.verdicts().get(i);
      // A load makes such mistakes on purpose; an instance never does.
      if (told.isIntegrityFault() && operation.request().actor().equals(UsageRecorder.ACTOR)) {
        findings.add(
            Violation.Kind.SPENT_BEYOND_LEASE,
            command,
            "usage that the lease of event " + event.sequence() + " covers",
            told.toString());
      }
      final StoredRow row = rowOf(event, told);
      if (!bears(told, event, row)) {
        lost(
            operation,
            told + " for event " + event.writer() + "/" + event.sequence() + " as acknowledged",
            String.valueOf(row));
      }
    }
  }

  private @Nullable StoredRow rowOf(UsageEvent event, UsageVerdict told) {
    return told.kind() == UsageVerdict.Kind.REJECTED
        ? rows.get(new RowKey.DeliveryKey(event.writer(), event.sequence()))
        : rows.get(new RowKey.UsageKey(event.requestId(), event.part()));
  }

  private static boolean bears(UsageVerdict told, UsageEvent event, @Nullable StoredRow row) {
    return switch (told.kind()) {
      case ACCEPTED ->
          row instanceof StoredRow.UsageRow usage
              && usage.verdict() == told
              && usage.units() == event.units()
              && usage.writer().equals(event.writer())
              && usage.sequence() == event.sequence();
      case DUPLICATE ->
          row instanceof StoredRow.UsageRow usage
              && !(usage.writer().equals(event.writer()) && usage.sequence() == event.sequence());
      case REJECTED -> row instanceof StoredRow.RejectedRow rejected && rejected.verdict() == told;
    };
  }

  /**
   * A client was told that its command had no effect. Where the same command was submitted more
   * than once, another submission may have had it; a sweep's refusal only says that nothing was due
   * any more.
   */
  private void denied(Operation operation, String how) {
    final LedgerCommand command = operation.request().command();
    final List<JournalRow> transitions = applied.getOrDefault(command, List.of());
    if (transitions.isEmpty()
        || submissions.getOrDefault(command, 0) > 1
        || command instanceof LedgerCommand.Reclaim
        || command instanceof LedgerCommand.Cross) {
      return;
    }
    findings.add(
        Violation.Kind.REFUSED_BUT_APPLIED,
        command,
        "no transition that applied it, as told to " + operation + " (" + how + ")",
        "version " + transitions.get(0).version() + " with " + transitions.get(0).outcome());
  }

  private void lost(Operation operation, String expected, String found) {
    findings.add(
        Violation.Kind.ACKNOWLEDGEMENT_LOST, operation.request().command(), expected, found);
  }
}
