package io.tollgrid.verification.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.pipelines.Pipelines;
import io.tollgrid.verification.faults.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses that the checker finds every way in which a ledger can fail to be exact (R3, R10, R11,
 * R15, R16, R20), and nothing in honest evidence.
 */
class FleetCheckTest {
  private static final long MILLI = 1_000_000L;

  private final FleetCheck check = new FleetCheck(HonestRun.LIMITS, MILLI, account -> 3);
  private final AccountEvidence honest = HonestRun.ofEveryKind().evidence();

  @Test
  void honestEvidencePasses() {
    assertThat(check.check(honest)).isEmpty();
  }

  @Test
  void honestEvidenceHoldsEveryKindOfCommandAndBothBalanceRefusals() {
    assertThat(honest.journal())
        .extracting(row -> row.request().command().getClass().getSimpleName())
        .contains(
            "Create",
            "Deposit",
            "Credit",
            "SetSchedule",
            "SetStatus",
            "Acquire",
            "Consolidate",
            "Return",
            "Renew",
            "Release",
            "RecordUsage",
            "Reclaim");
    assertThat(honest.operations())
        .map(Operation::answered)
        .map(answer -> answer.outcome() instanceof Outcome.Refused no ? no.reason() : null)
        .contains(
            Refusal.UNKNOWN_ACCOUNT,
            Refusal.BALANCE_EXHAUSTED,
            Refusal.BALANCE_INSUFFICIENT,
            Refusal.CAPABILITY,
            Refusal.ACCOUNT_SUSPENDED,
            Refusal.NOT_DUE);
  }

  @ParameterizedTest
  @EnumSource(PlantedBreak.class)
  void everyPlantedBreakIsFoundAsWhatItIs(PlantedBreak broken) {
    final AccountEvidence planted = broken.plant(honest);

    assertThat(planted).as("honest evidence offers a place for %s", broken).isNotNull();
    assertThat(check.check(planted))
        .extracting(Violation::kind)
        .as("%s", broken)
        .contains(broken.kind());
  }

  @Test
  void whatASweepDidIsInNoHistoryAndNothingElseMayBe() {
    assertThat(check.check(doneBySweeps("Reclaim"))).isEmpty();
    assertThat(check.check(doneBySweeps("Deposit")))
        .extracting(Violation::kind)
        .contains(Violation.Kind.NOBODY_ASKED);
  }

  private AccountEvidence doneBySweeps(String command) {
    final List<JournalRow> journal =
        honest.journal().stream()
            .map(row -> isA(row.request(), command) ? bySweeps(row) : row)
            .toList();
    return honest
        .withJournal(journal)
        .withOperations(
            honest.operations().stream()
                .filter(operation -> !isA(operation.request(), command))
                .toList());
  }

  private static boolean isA(LedgerRequest request, String command) {
    return request.command().getClass().getSimpleName().equals(command);
  }

  private static JournalRow bySweeps(JournalRow row) {
    final LedgerRequest asked = row.request();
    return new JournalRow(
        row.account(),
        row.version(),
        new LedgerRequest(asked.account(), Pipelines.ACTOR, asked.notAfterNanos(), asked.command()),
        row.outcome(),
        row.ledgerTimeNanos(),
        row.after(),
        row.committedAtNanos());
  }

  @Test
  void aRunReportsWhichPlantedBreaksItFound() {
    final List<FenceRaise> fences =
        List.of(new FenceRaise(1, 3, 0, 1, "m1"), new FenceRaise(2, 4, 0, 1, "m2"));
    final List<Written> writes =
        List.of(
            new Written(honest.account(), 1, "m1", 2, false),
            new Written(honest.account(), 2, "m1", 2, false));
    final FleetEvidence evidence = new FleetEvidence(List.of(honest), fences, writes);

    assertThat(check.check(evidence)).isEmpty();
    assertThat(check.findPlanted(evidence))
        .hasSize(PlantedBreak.values().length + 3)
        .allSatisfy((name, found) -> assertThat(found).as(name).isTrue());
  }

  @Test
  void aCommandGivenUpForCertainMustNotHaveHappened() {
    final AccountEvidence denied =
        withEnding(
            only("Deposit"), answer -> new Operation.GaveUp(answer, LedgerCode.UNAVAILABLE, false));

    assertThat(check.check(denied))
        .extracting(Violation::kind)
        .containsOnly(Violation.Kind.REFUSED_BUT_APPLIED);
  }

  @Test
  void aCommandGivenUpAsUnknownMayHaveHappened() {
    final AccountEvidence unknown =
        withEnding(
            only("Deposit"), answer -> new Operation.GaveUp(answer, LedgerCode.UNKNOWN, true));

    assertThat(check.check(unknown)).isEmpty();
  }

  @Test
  void aClientThatDiedBeforeItsAnswerProvesNothing() {
    final List<Operation> operations = new ArrayList<>();
    for (final Operation o : honest.operations()) {
      operations.add(
          new Operation(o.client(), o.number(), o.submittedAtNanos(), o.request(), null));
    }

    assertThat(check.check(honest.withOperations(operations))).isEmpty();
  }

  @Test
  void anotherSubmissionOfTheSameCommandMayHaveHadTheEffectThatOneWasDenied() {
    final List<Operation> operations = new ArrayList<>(honest.operations());
    final Operation deposit =
        operations.stream()
            .filter(o -> o.request().command() instanceof LedgerCommand.Deposit)
            .findFirst()
            .orElseThrow();
    operations.add(
        new Operation(
            "load-2",
            1,
            deposit.submittedAtNanos(),
            deposit.request(),
            new Operation.GaveUp(deposit.submittedAtNanos() + 1, LedgerCode.UNAVAILABLE, false)));

    assertThat(check.check(honest.withOperations(operations))).isEmpty();
  }

  @Test
  void anAnswerOlderThanAVisibleCommitIsStaleThoughNoClientKnewOfTheCommit() {
    final List<JournalRow> journal = honest.journal();
    final JournalRow last = journal.get(journal.size() - 1);
    final List<Operation> operations = new ArrayList<>(honest.operations());
    operations.removeIf(o -> o.answered().version() >= last.version());
    final Operation earlier = operations.get(operations.size() - 1);
    final long sentAt = last.committedAtNanos() + 2 * MILLI;
    operations.add(new Operation("load-2", 1, last.committedAtNanos() - 1, last.request(), null));
    operations.add(
        new Operation(
            "load-2",
            2,
            sentAt,
            earlier.request(),
            new Operation.Answered(
                sentAt + 1,
                earlier.answered().outcome(),
                earlier.answered().version(),
                earlier.answered().ledgerTimeNanos())));

    assertThat(
            new FleetCheck(HonestRun.LIMITS, MILLI, account -> 3)
                .check(honest.withOperations(operations)))
        .extracting(Violation::kind)
        .contains(Violation.Kind.STALE_ANSWER);
    assertThat(
            new FleetCheck(HonestRun.LIMITS, 3 * MILLI, account -> 3)
                .check(honest.withOperations(operations)))
        .extracting(Violation::kind)
        .doesNotContain(Violation.Kind.STALE_ANSWER);
  }

  @Test
  void rowsNobodyJournalledAreFound() {
    assertThat(check.check(honest.withJournal(List.of())))
        .extracting(Violation::kind)
        .contains(Violation.Kind.STORE_DIFFERS, Violation.Kind.ACKNOWLEDGEMENT_LOST);
    assertThat(check.check(honest.withStored(null)))
        .extracting(Violation::kind)
        .containsExactly(Violation.Kind.STORE_DIFFERS);
  }

  @Test
  void aViolationNamesAccountAndCommandAndWhatWasExpected() {
    final AccountEvidence planted = PlantedBreak.OTHER_VALUE_ACKNOWLEDGED.plant(honest);

    assertThat(check.check(planted))
        .singleElement()
        .hasToString(
            "ACKNOWLEDGEMENT_LOST account "
                + HonestRun.ACCOUNT
                + " command Deposit 000000000000001d0000000000000068: expected"
                + " Funded[units=1001, version=2] as acknowledged, found"
                + " Funded[units=1000, version=2] in the journal");
  }

  private interface NewEnding {
    Operation.Ending at(long answeredAtNanos);
  }

  private static Predicate<Operation> only(String kind) {
    return operation -> operation.request().command().getClass().getSimpleName().equals(kind);
  }

  private AccountEvidence withEnding(Predicate<Operation> which, NewEnding ending) {
    return honest.withOperations(
        honest.operations().stream()
            .map(o -> which.test(o) ? o.ended(ending.at(o.ending().atNanos())) : o)
            .toList());
  }
}
