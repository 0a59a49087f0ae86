package io.tollgrid.verification.faults.check;

import io.tollgrid.grid.usage.UsageRecorder;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.verification.faults.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One way to falsify honest evidence about an account, and the violation that must then be found.
 */
enum PlantedBreak {
  /** The last transition is missing from the journal though a client was told of it. */
  ACKNOWLEDGEMENT_LOST(Violation.Kind.ACKNOWLEDGEMENT_LOST) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      final List<JournalRow> journal = evidence.journal();
      final boolean told =
          evidence.operations().stream()
              .map(Operation::answered)
              .anyMatch(
                  answer ->
                      answer != null
                          && answer.outcome() instanceof Outcome.Applied
                          && answer.version() == journal.size());
      return told ? evidence.withJournal(journal.subList(0, journal.size() - 1)) : null;
    }
  },
  /** A client was told of one unit more than was funded. */
  OTHER_VALUE_ACKNOWLEDGED(Violation.Kind.ACKNOWLEDGEMENT_LOST) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      return changeAnswer(
          evidence,
          operation ->
              operation.ending() instanceof Operation.Answered answer
                      && answer.outcome() instanceof Outcome.Funded funded
                  ? new Operation.Answered(
                      answer.atNanos(),
                      new Outcome.Funded(funded.units() + 1, funded.version()),
                      answer.version(),
                      answer.ledgerTimeNanos())
                  : null);
    }
  },
  /** A deposit is in the journal a second time. */
  DEPOSIT_APPLIED_TWICE(Violation.Kind.APPLIED_TWICE) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      final List<JournalRow> journal = evidence.journal();
      final JournalRow deposit = first(journal, row -> row.outcome() instanceof Outcome.Funded);
      if (deposit == null) {
        return null;
      }
      final JournalRow last = journal.get(journal.size() - 1);
      final List<JournalRow> longer = new ArrayList<>(journal);
      longer.add(
          new JournalRow(
              evidence.account(),
              last.version() + 1,
              deposit.request(),
              deposit.outcome(),
              last.ledgerTimeNanos(),
              last.after(),
              last.committedAtNanos()));
      return evidence.withJournal(longer);
    }
  },
  /** A command is in the journal that is in no history. */
  UNASKED_COMMAND(Violation.Kind.NOBODY_ASKED) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      if (evidence.journal().isEmpty()) {
        return null;
      }
      final LedgerCommand command = evidence.journal().get(0).request().command();
      return evidence.withOperations(
          evidence.operations().stream()
              .filter(operation -> !operation.request().command().equals(command))
              .toList());
    }
  },
  /** A version is missing from the middle of the journal. */
  JOURNAL_ROW_MISSING(Violation.Kind.JOURNAL_GAP) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      if (evidence.journal().size() < 3) {
        return null;
      }
      final List<JournalRow> shorter = new ArrayList<>(evidence.journal());
      shorter.remove(1);
      return evidence.withJournal(shorter);
    }
  },
  /** A grant in the journal is one unit larger than the ledger would have made it. */
  GRANT_TOO_LARGE(Violation.Kind.JOURNAL_CONTRADICTED) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      final JournalRow row =
          first(evidence.journal(), candidate -> candidate.outcome() instanceof Outcome.Granted);
      if (row == null || !(row.outcome() instanceof Outcome.Granted granted)) {
        return null;
      }
      final List<JournalRow> journal = new ArrayList<>(evidence.journal());
      journal.set(
          journal.indexOf(row),
          new JournalRow(
              row.account(),
              row.version(),
              row.request(),
              new Outcome.Granted(
                  granted.leaseId(),
                  granted.fence(),
                  granted.units() + 1,
                  granted.expiresAtNanos(),
                  granted.restoredUnits(),
                  granted.evidence()),
              row.ledgerTimeNanos(),
              row.after(),
              row.committedAtNanos()));
      return evidence.withJournal(journal);
    }
  },
  /** The account row holds one unit of top-up too many. */
  BOOKS_UNBALANCED(Violation.Kind.UNBALANCED) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      final StoredAccount stored = evidence.stored();
      if (stored == null) {
        return null;
      }
      final AccountNumbers n = stored.numbers();
      final AccountNumbers wrong =
          new AccountNumbers(
              n.deposited(),
              n.overage(),
              n.allowance(),
              n.topUp() + 1,
              n.outstanding(),
              n.billed(),
              n.lossResident(),
              n.lossArchived(),
              n.expired(),
              n.unfunded(),
              n.nextFence(),
              n.policyGeneration(),
              n.periodNumber());
      return evidence.withStored(
          new StoredAccount(
              stored.account(),
              stored.version(),
              stored.asOfNanos(),
              wrong,
              stored.status(),
              stored.periodEndNanos(),
              stored.rows(),
              stored.fundedUnits()));
    }
  },
  /** A lease row was billed one unit that no usage row explains. */
  LEASE_BILLED_TOO_MUCH(Violation.Kind.UNBALANCED) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      return changeLease(
          evidence,
          lease -> lease.state() == LeaseState.ACTIVE && lease.remaining() > 0,
          lease -> copy(lease, lease.fence(), lease.billed() + 1));
    }
  },
  /** The newest lease bears the fence of the one before it. */
  LEASE_FENCE_REUSED(Violation.Kind.FENCE_REUSED) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      final StoredAccount stored = evidence.stored();
      if (stored == null || stored.numbers().nextFence() < 3) {
        return null;
      }
      final long newest = stored.numbers().nextFence() - 1;
      return changeLease(
          evidence,
          lease -> lease.fence() == newest,
          lease -> copy(lease, newest - 1, lease.billed()));
    }
  },
  /** A refusal's evidence is one unit off. */
  EVIDENCE_WRONG(Violation.Kind.REFUSAL_CONTRADICTED) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      return changeAnswer(
          evidence,
          operation -> {
            if (operation.ending() instanceof Operation.Answered answer
                && answer.outcome() instanceof Outcome.Refused refused
                && refused.evidence() != null) {
              final Evidence told = refused.evidence();
              return new Operation.Answered(
                  answer.atNanos(),
                  new Outcome.Refused(
                      refused.reason(),
                      new Evidence(
                          told.remainingUnits() + 1, told.periodEndNanos(), told.version())),
                  answer.version(),
                  answer.ledgerTimeNanos());
            }
            return null;
          });
    }
  },
  /** An instance was told that its usage was more than its lease held. */
  INSTANCE_SPENT_TOO_MUCH(Violation.Kind.SPENT_BEYOND_LEASE) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      for (final Operation operation : evidence.operations()) {
        final Operation.Answered answer = operation.answered();
        if (answer != null
            && answer.outcome() instanceof Outcome.UsageRecorded recorded
            && recorded.verdicts().equals(List.of(UsageVerdict.LEASED))) {
          final LedgerRequest asked = operation.request();
          final List<Operation> more = new ArrayList<>(evidence.operations());
          more.add(
              new Operation(
                  "an instance",
                  0,
                  operation.submittedAtNanos(),
                  new LedgerRequest(
                      asked.account(), UsageRecorder.ACTOR, asked.notAfterNanos(), asked.command()),
                  new Operation.Answered(
                      answer.atNanos(),
                      new Outcome.UsageRecorded(List.of(UsageVerdict.BEYOND_LEASE)),
                      answer.version(),
                      answer.ledgerTimeNanos())));
          return evidence.withOperations(more);
        }
      }
      return null;
    }
  },
  /** A client was told that its deposit came too late, but it is in the journal. */
  REFUSED_BUT_APPLIED(Violation.Kind.REFUSED_BUT_APPLIED) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      final Map<LedgerCommand, Integer> submissions = new HashMap<>();
      evidence
          .operations()
          .forEach(operation -> submissions.merge(operation.request().command(), 1, Integer::sum));
      return changeAnswer(
          evidence,
          operation ->
              operation.ending() instanceof Operation.Answered answer
                      && answer.outcome() instanceof Outcome.Funded
                      && submissions.getOrDefault(operation.request().command(), 0) == 1
                  ? new Operation.Answered(
                      answer.atNanos(),
                      new Outcome.Refused(Refusal.EXPIRED, null),
                      answer.version(),
                      answer.ledgerTimeNanos())
                  : null);
    }
  },
  /** An answer rests on a version that was history before the command was sent. */
  STALE_MEMORY_ANSWERED(Violation.Kind.STALE_ANSWER) {
    @Override
    @Nullable AccountEvidence plant(AccountEvidence evidence) {
      final Operation earliest =
          evidence.operations().stream()
              .filter(operation -> operation.answered() != null && versionOf(operation) > 0)
              .min(Comparator.comparingLong(PlantedBreak::answeredAt))
              .orElse(null);
      if (earliest == null) {
        return null;
      }
      return changeAnswer(
          evidence,
          operation ->
              operation.ending() instanceof Operation.Answered answer
                      && operation.submittedAtNanos() > answeredAt(earliest)
                      && answer.outcome() instanceof Outcome.Applied
                  ? new Operation.Answered(
                      answer.atNanos(),
                      answer.outcome(),
                      versionOf(earliest) - 1,
                      answer.ledgerTimeNanos())
                  : null);
    }
  };

  private final Violation.Kind kind;

  PlantedBreak(Violation.Kind kind) {
    this.kind = kind;
  }

  /** Falsifies a copy of the evidence, or returns null if it offers no place for this break. */
  abstract @Nullable AccountEvidence plant(AccountEvidence evidence);

  /** The violation that must be found, among others it may entail. */
  Violation.Kind kind() {
    return kind;
  }

  /** The name in reports. */
  String spelling() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The fences with one of them used again, or empty if there are none. */
  static Optional<List<FenceRaise>> reuseFence(List<FenceRaise> fences) {
    if (fences.isEmpty()) {
      return Optional.empty();
    }
    final FenceRaise last = fences.get(fences.size() - 1);
    final List<FenceRaise> more = new ArrayList<>(fences);
    more.add(
        new FenceRaise(
            last.sequence() + 1, last.partition(), last.after(), last.after(), "an earlier owner"));
    return Optional.of(more);
  }

  /** The writes with one of them by a process that never owned anything there, or empty. */
  static Optional<List<Written>> writeAsAnother(List<Written> writes, List<FenceRaise> fences) {
    for (int i = 0; i < writes.size(); i++) {
      final Written write = writes.get(i);
      final Optional<String> other =
          fences.stream()
              .map(FenceRaise::owner)
              .filter(owner -> !owner.equals(write.owner()))
              .findFirst();
      if (other.isPresent()) {
        final List<Written> changed = new ArrayList<>(writes);
        changed.set(
            i, new Written(write.account(), write.version(), other.get(), write.raises(), false));
        return Optional.of(changed);
      }
    }
    return Optional.empty();
  }

  /** The writes with one that another of its account follows turned into one of unknown outcome. */
  static Optional<List<Written>> forgetOutcome(List<Written> writes) {
    for (int i = 0; i < writes.size(); i++) {
      final Written write = writes.get(i);
      final boolean isFollowed =
          writes.stream()
              .anyMatch(
                  next ->
                      next.account().equals(write.account())
                          && next.version() == write.version() + 1
                          && next.raises() == write.raises());
      if (isFollowed) {
        final List<Written> changed = new ArrayList<>(writes);
        changed.set(
            i, new Written(write.account(), write.version(), write.owner(), write.raises(), true));
        return Optional.of(changed);
      }
    }
    return Optional.empty();
  }

  private interface NewEnding {
    Operation.@Nullable Ending of(Operation operation);
  }

  /** Changes the first ending for which there is a new one. */
  private static @Nullable AccountEvidence changeAnswer(
      AccountEvidence evidence, NewEnding change) {
    final List<Operation> operations = new ArrayList<>(evidence.operations());
    for (int i = 0; i < operations.size(); i++) {
      final Operation.Ending ending = change.of(operations.get(i));
      if (ending != null) {
        operations.set(i, operations.get(i).ended(ending));
        return evidence.withOperations(operations);
      }
    }
    return null;
  }

  private interface NewLease {
    Lease of(Lease lease);
  }

  private static @Nullable AccountEvidence changeLease(
      AccountEvidence evidence, Predicate<Lease> which, NewLease change) {
    final StoredAccount stored = evidence.stored();
    if (stored == null) {
      return null;
    }
    for (final Map.Entry<RowKey, StoredRow> entry : stored.rows().entrySet()) {
      if (entry.getValue() instanceof StoredRow.LeaseRow row && which.test(row.lease())) {
        final Map<RowKey, StoredRow> rows = new HashMap<>(stored.rows());
        rows.put(entry.getKey(), new StoredRow.LeaseRow(change.of(row.lease())));
        return evidence.withStored(
            new StoredAccount(
                stored.account(),
                stored.version(),
                stored.asOfNanos(),
                stored.numbers(),
                stored.status(),
                stored.periodEndNanos(),
                rows,
                stored.fundedUnits()));
      }
    }
    return null;
  }

  private static Lease copy(Lease lease, long fence, long billed) {
    return new Lease(
        lease.id(),
        lease.holder(),
        fence,
        lease.bodyHash(),
        lease.periodNumber(),
        lease.grantedAllowance(),
        lease.grantedTopUp(),
        lease.returnedAllowance(),
        lease.returnedTopUp(),
        billed,
        lease.loss(),
        lease.state(),
        lease.firstExpiresAtNanos(),
        lease.expiresAtNanos(),
        lease.graceNanos(),
        lease.endedAtNanos(),
        lease.lastStep());
  }

  private static @Nullable JournalRow first(List<JournalRow> journal, Predicate<JournalRow> which) {
    return journal.stream().filter(which).findFirst().orElse(null);
  }

  private static long versionOf(Operation operation) {
    final Operation.Answered answer = operation.answered();
    return answer == null ? 0 : answer.version();
  }

  private static long answeredAt(Operation operation) {
    final Operation.Answered answer = operation.answered();
    return answer == null ? Long.MAX_VALUE : answer.atNanos();
  }
}
