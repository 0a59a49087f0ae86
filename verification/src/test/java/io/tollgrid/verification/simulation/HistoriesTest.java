package io.tollgrid.verification.simulation;

import static io.tollgrid.verification.simulation.Stage.ACCOUNT;
import static io.tollgrid.verification.simulation.Stage.LEASES;
import static io.tollgrid.verification.simulation.Stage.OPERATOR;
import static io.tollgrid.verification.simulation.Stage.OWNER;
import static io.tollgrid.verification.simulation.Stage.PARTITION;
import static io.tollgrid.verification.simulation.Stage.USAGE;
import static io.tollgrid.verification.simulation.Stage.later;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.AccountStatus;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R3, R12, R16 and R57 by single histories: those the simulation once broke a rule with,
 * and those an assumption rests on.
 */
class HistoriesTest {
  private final Stage stage = new Stage(Defects.NONE);

  /** Two copies of a batch with the same attached row: the second meets a ledger that moved on. */
  @Test
  void anAttachedRowOlderThanTheEntryIsSentBackAndNotCorruption() {
    lossThatLeftTheEntry();
    stage.play(
        new HolderEvent.UsageShips(0, ACCOUNT, 1),
        new NetworkEvent.RequestArrives(USAGE, ACCOUNT, 0, OWNER),
        new NetworkEvent.AnswerArrives(USAGE, ACCOUNT, 0),
        new NetworkEvent.ClientRetries(USAGE, ACCOUNT),
        new NetworkEvent.RequestDuplicated(USAGE, ACCOUNT, 0),
        new NetworkEvent.RequestArrives(USAGE, ACCOUNT, 0, OWNER),
        new OwnerEvent.StoreRuns(OWNER, StoreFault.NONE),
        new NetworkEvent.RequestArrives(USAGE, ACCOUNT, 0, OWNER));

    assertThat(stage.fleet().coverage().cells())
        .containsEntry("scenario ARCHIVED_STRAGGLER", 1L)
        .containsEntry("answer RECORD_USAGE OUTDATED", 1L);
    stage.toRest();
  }

  private void lossThatLeftTheEntry() {
    stage
        .withLease()
        .play(
            new HolderEvent.WorkStarts(0, ACCOUNT, 5),
            new HolderEvent.WorkSettles(0, ACCOUNT, 0, 5),
            new HolderEvent.Releases(0, ACCOUNT, 0))
        .answered(LEASES)
        .play(
            later(Scale.LIMITS.stragglerHorizonNanos()), new OperatorEvent.Deposits(0, ACCOUNT, 1))
        .answered(OPERATOR);
  }

  /** Two owners' clocks disagree: for one the deadline is over, for the other it is not. */
  @Test
  void expiredEndsAnUnknownCommandOnlyOnceNoOwnerWouldTakeIt() {
    stage.play(
        new OwnerEvent.MemberClockJumps(OWNER, 400 * Scale.MILLI),
        new OperatorEvent.Deposits(0, ACCOUNT, 1),
        new NetworkEvent.AttemptTimesOut(OPERATOR, ACCOUNT),
        new NetworkEvent.ClientRetries(OPERATOR, ACCOUNT),
        later(Scale.NOT_AFTER_NANOS - 200 * Scale.MILLI),
        new NetworkEvent.RequestArrives(OPERATOR, ACCOUNT, 1, OWNER),
        new OwnerEvent.LoadReturns(OWNER, PARTITION, false),
        new OwnerEvent.StoreRuns(OWNER, StoreFault.NONE),
        new NetworkEvent.AnswerArrives(OPERATOR, ACCOUNT, 0));
    assertThat(stage.fleet().slot(OPERATOR, ACCOUNT).waiting()).isTrue();

    stage.play(
        new OwnerEvent.MemberClockJumps(OWNER, -400 * Scale.MILLI),
        new NetworkEvent.RequestArrives(OPERATOR, ACCOUNT, 0, OWNER),
        new OwnerEvent.StoreRuns(OWNER, StoreFault.NONE));
    assertThat(stage.fleet().store().load(ACCOUNT).balances().deposited()).isEqualTo(121);
    stage.toRest();
  }

  @Nested
  class AStepOfUnknownOutcome {
    /** The lease is settled and only its row knows: the deadline must not be looked at first. */
    @Test
    void isAnsweredFromItsRowAfterTheDeadline() {
      stage
          .withLease()
          .play(
              new HolderEvent.Releases(0, ACCOUNT, 0),
              new NetworkEvent.RequestArrives(LEASES, ACCOUNT, 0, OWNER),
              new OwnerEvent.StoreRuns(OWNER, StoreFault.AFTER_COMMIT),
              new NetworkEvent.AnswerArrives(LEASES, ACCOUNT, 0),
              later(Scale.NOT_AFTER_NANOS + 2 * Scale.SECOND))
          .fenced()
          .play(
              new NetworkEvent.ClientRetries(LEASES, ACCOUNT),
              new NetworkEvent.RequestArrives(LEASES, ACCOUNT, 0, OWNER),
              new OwnerEvent.LoadReturns(OWNER, PARTITION, false),
              new NetworkEvent.AnswerArrives(LEASES, ACCOUNT, 0),
              new NetworkEvent.ClientRetries(LEASES, ACCOUNT))
          .answered(LEASES);

      assertThat(stage.holder().leases().size()).isZero();
      stage.toRest();
    }

    @Test
    void ofAUsageBatchIsAnsweredFromItsRowsAfterTheDeadline() {
      stage
          .withLease()
          .play(
              new HolderEvent.WorkStarts(0, ACCOUNT, 5),
              new HolderEvent.WorkSettles(0, ACCOUNT, 0, 5),
              new HolderEvent.UsageShips(0, ACCOUNT, 1),
              new NetworkEvent.RequestArrives(USAGE, ACCOUNT, 0, OWNER),
              new OwnerEvent.StoreRuns(OWNER, StoreFault.AFTER_COMMIT),
              new NetworkEvent.AnswerArrives(USAGE, ACCOUNT, 0),
              later(Scale.NOT_AFTER_NANOS + 2 * Scale.SECOND))
          .fenced()
          .play(new NetworkEvent.ClientRetries(USAGE, ACCOUNT))
          .loadedAndAnswered(USAGE)
          .play(new NetworkEvent.ClientRetries(USAGE, ACCOUNT))
          .answered(USAGE);

      assertThat(stage.fleet().instance(0).queue(ACCOUNT).isEmpty()).isTrue();
      stage.toRest();
    }
  }

  @Nested
  class AConsolidation {
    /** Refused while a second copy is under way: what the client makes of it decides over R1. */
    private void refusedWithACopyUnderWay(Stage on) {
      on.withLease()
          .play(new OperatorEvent.SetsStatus(0, ACCOUNT, AccountStatus.SUSPENDED))
          .answered(OPERATOR)
          .play(Stage.consolidate(), new NetworkEvent.RequestDuplicated(LEASES, ACCOUNT, 0))
          .answered(LEASES)
          .play(new OperatorEvent.SetsStatus(0, ACCOUNT, AccountStatus.ACTIVE))
          .answered(OPERATOR);
    }

    private Stage theCopyActs(Stage on) {
      return on.play(
          new NetworkEvent.RequestArrives(LEASES, ACCOUNT, 0, OWNER),
          new OwnerEvent.StoreRuns(OWNER, StoreFault.NONE));
    }

    @Test
    void refusedAfterADuplicateStaysUnknown() {
      refusedWithACopyUnderWay(stage);
      assertThat(stage.holder().leases().currentFreeUnits()).isZero();

      theCopyActs(stage).toRest();
    }

    /** The assumption R3 rests on: the grid does not execute what it has answered. */
    @Test
    void wouldBeSpentTwiceIfDuplicatesWereSilent() {
      final Stage silent = new Stage(Defects.only(11));
      assertThat(silent.fleet().defects().silentDuplicates()).isTrue();
      refusedWithACopyUnderWay(silent);
      assertThat(silent.holder().leases().currentFreeUnits()).isEqualTo(20);

      assertThatThrownBy(() -> theCopyActs(silent))
          .isInstanceOf(Violation.class)
          .hasMessageContaining("R16");
    }

    @Test
    void whoseOutcomeIsUnknownIsParkedAndResolvedBothWays() {
      parked(StoreFault.AFTER_COMMIT);
      assertThat(stage.holder().leases().currentFreeUnits()).isEqualTo(20);
      assertThat(stage.holder().leases().size()).isEqualTo(2);

      final Stage other = new Stage(Defects.NONE);
      parked(other, StoreFault.BEFORE_COMMIT);
      assertThat(other.holder().leases().currentFreeUnits()).isEqualTo(20);
      assertThat(other.holder().leases().size()).isEqualTo(1);
      stage.toRest();
      other.toRest();
    }

    private void parked(StoreFault fault) {
      parked(stage, fault);
    }

    private void parked(Stage on, StoreFault fault) {
      on.withLease()
          .play(
              Stage.consolidate(),
              new NetworkEvent.RequestArrives(LEASES, ACCOUNT, 0, OWNER),
              new OwnerEvent.StoreRuns(OWNER, fault),
              new NetworkEvent.AnswerArrives(LEASES, ACCOUNT, 0),
              later(Scale.NOT_AFTER_NANOS + 2 * Scale.SECOND),
              new NetworkEvent.ClientGivesUp(LEASES, ACCOUNT))
          .fenced();
      assertThat(on.holder().hasParked()).isTrue();
      assertThat(on.holder().leases().currentFreeUnits()).isZero();

      on.play(new HolderEvent.ResumesParked(0, ACCOUNT));
      on.play(new NetworkEvent.RequestArrives(LEASES, ACCOUNT, 0, OWNER));
      // The first attempt has left the entry under a fence that was dropped.
      on.play(
          new NetworkEvent.AnswerArrives(LEASES, ACCOUNT, 0),
          new NetworkEvent.ClientRetries(LEASES, ACCOUNT));
      on.loadedAndAnswered(LEASES);
    }
  }

  @Nested
  class AFence {
    @Test
    void isNotRaisedUnderACommitThatIsStillRunning() {
      stage
          .play(
              new OperatorEvent.Deposits(0, ACCOUNT, 1),
              new NetworkEvent.RequestArrives(OPERATOR, ACCOUNT, 0, OWNER),
              new OwnerEvent.LoadReturns(OWNER, PARTITION, false),
              new OwnerEvent.StoreRuns(OWNER, StoreFault.LATE),
              new OwnerEvent.FenceDrawn(OWNER, PARTITION))
          .refuse(new OwnerEvent.FenceRaised(OWNER, PARTITION, false))
          .play(
              new OwnerEvent.LateCommitEnds(OWNER, true),
              new OwnerEvent.FenceRaised(OWNER, PARTITION, false));

      assertThat(stage.fleet().store().load(ACCOUNT).balances().deposited()).isEqualTo(121);
      stage.toRest();
    }

    @Test
    void makesEntriesThatCameBackFromAnotherMemberStale() {
      stage
          .withLease()
          .play(new OwnerEvent.Migrated(PARTITION, 2), new OwnerEvent.Migrated(PARTITION, OWNER))
          .fenced()
          .play(
              new OperatorEvent.Deposits(0, ACCOUNT, 1),
              new NetworkEvent.RequestArrives(OPERATOR, ACCOUNT, 0, OWNER),
              new NetworkEvent.AnswerArrives(OPERATOR, ACCOUNT, 0));

      assertThat(stage.fleet().coverage().cells())
          .containsEntry("answer DEPOSIT STALE", 1L)
          .containsEntry("scenario OWNERSHIP_CAME_BACK", 1L);
      stage.toRest();
    }
  }
}
