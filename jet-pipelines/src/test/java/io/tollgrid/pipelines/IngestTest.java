package io.tollgrid.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.jet.Job;
import com.hazelcast.jet.core.JobStatus;
import io.tollgrid.grid.usage.Malformed;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.pipelines.ingest.MemberIngest;
import io.tollgrid.pipelines.testing.Eventually;
import io.tollgrid.pipelines.testing.ScriptedLedgers;
import io.tollgrid.pipelines.testing.Usage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R20 and R22 of the ingest job on a real member: what is left is recorded by account and
 * every event is classified, whether or not a bell told of it, also after the job ended; an account
 * that does not answer or is refused holds back nobody else.
 */
class IngestTest {
  private static JobMember member;

  @BeforeAll
  static void open() {
    member = new JobMember();
  }

  @AfterEach
  void reset() {
    member.reset();
  }

  @AfterAll
  static void close() {
    member.close();
  }

  private JobSupervisor start(ScriptedLedgers ledgers) {
    final JobSupervisor supervisor = member.start(ledgers, JobMember.BUILD);
    member.untilRuns(supervisor, MemberIngest.LABEL, JobMember.BUILD);
    return supervisor;
  }

  private static void untilKnown(long number, int events) {
    Eventually.until(
        events + " events of batch " + number + " are classified",
        () -> Usage.known(member.hazelcast, number).known() == events);
  }

  private static List<UsageEvent> recorded(ScriptedLedgers ledgers, Id128 account) {
    return ledgers.commands.stream()
        .filter(came -> came.account().equals(account))
        .flatMap(came -> ((LedgerCommand.RecordUsage) came.command()).events().stream())
        .toList();
  }

  @Test
  void whatIsLeftIsRecordedByAccountAndClassified() {
    final ScriptedLedgers ledgers = new ScriptedLedgers(Usage::record);
    start(ledgers);

    assertThat(Usage.leave(member.hazelcast, 1).known()).isZero();
    untilKnown(1, 6);

    for (int i = 0; i < 3; i++) {
      final Id128 account = Usage.account(i);
      assertThat(Set.copyOf(recorded(ledgers, account)))
          .isEqualTo(
              Usage.batch(1).deliveries().stream()
                  .filter(delivery -> delivery.account().equals(account))
                  .map(delivery -> delivery.event())
                  .collect(Collectors.toSet()));
    }
    final UsageVerdicts verdicts = Usage.known(member.hazelcast, 1);
    assertThat(IntStream.range(0, 6).mapToObj(verdicts::get)).containsOnly(UsageVerdict.UNFUNDED);
    assertThat(member.count("tollgrid.usage.events", "verdict", "UNFUNDED"))
        .as("more if it was taken again meanwhile")
        .isGreaterThanOrEqualTo(6);
  }

  @Test
  void whatWasLeftWhileNoJobRanIsFoundByLooking() {
    Usage.leave(member.hazelcast, 1);
    start(new ScriptedLedgers(Usage::record));
    untilKnown(1, 6);
  }

  @Test
  void anAccountThatDoesNotAnswerHoldsBackOnlyItsOwn() {
    final ScriptedLedgers ledgers =
        new ScriptedLedgers(
            command ->
                command.account().equals(Usage.account(0))
                    ? new CompletableFuture<>()
                    : Usage.record(command));
    start(ledgers);
    Usage.leave(member.hazelcast, 1);
    Usage.leave(member.hazelcast, 2);

    untilKnown(1, 4);
    untilKnown(2, 4);
    assertThat(Usage.known(member.hazelcast, 1).get(0)).isNull();
  }

  @Test
  void whatWasHeldBackIsTakenAgainUntilItIsRecorded() {
    final ScriptedLedgers ledgers =
        new ScriptedLedgers(
            command -> ScriptedLedgers.answer(new Outcome.Refused(Refusal.EXPIRED, null)));
    start(ledgers);
    Usage.leave(member.hazelcast, 1);
    Eventually.until("it failed for a while", () -> member.count("tollgrid.usage.held.back") > 12);
    assertThat(Usage.known(member.hazelcast, 1).known()).isZero();

    ledgers.follow(Usage::record);

    untilKnown(1, 6);
  }

  @Test
  void aJobThatEndsLeavesNothingBehindForTheNextOne() {
    final ScriptedLedgers silent = new ScriptedLedgers(command -> new CompletableFuture<>());
    final JobSupervisor supervisor = start(silent);
    Usage.leave(member.hazelcast, 1);
    Eventually.until("it is under way", () -> silent.commands.size() >= 3);
    final Job job = member.untilRuns(supervisor, MemberIngest.LABEL, JobMember.BUILD);
    job.cancel();
    Eventually.until("the job ended", () -> job.getStatus() == JobStatus.FAILED);

    member.newStart();
    start(new ScriptedLedgers(Usage::record));

    untilKnown(1, 6);
  }

  /** Whatever of it was seen in between. */
  @Test
  void aBatchThatALateMessageBringsBackIsTakenAgain() {
    start(new ScriptedLedgers(Usage::record));
    for (int i = 0; i < 20; i++) {
      Usage.leave(member.hazelcast, 1);
      untilKnown(1, 6);
      Eventually.until(
          "it was seen answered", () -> member.gauge("tollgrid.usage.open.batches") == 0);
      Usage.forget(member.hazelcast, 1);
    }
  }

  @Test
  void aBatchThatCannotBeReadIsPassedOver() {
    final ScriptedLedgers ledgers = new ScriptedLedgers(Usage::record);
    start(ledgers);
    Malformed.leave(member.hazelcast, "garbage/1");
    Usage.leave(member.hazelcast, 2);
    untilKnown(2, 6);
    Eventually.until(
        "it is counted", () -> member.count("tollgrid.usage.batches", "result", "malformed") == 1);
  }
}
