package io.tollgrid.client;

import static io.tollgrid.client.ScriptedInstance.ACCOUNT;
import static io.tollgrid.client.ScriptedInstance.MILLI;
import static io.tollgrid.client.ScriptedInstance.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.ScriptedLedgers.Sent;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses, command by command against ledgers that a test answers for, R34 (refills run beside
 * requests), R2 (drain, return, recall), R3 and R35 (what is unknown is parked and never put back;
 * a lease leaves the books only by an answer), R36 (one command at a time; a fault stops the
 * instance), R15 and R55 (evidence, and how long it is believed) and R40 (pauses are bounded).
 */
class LeaseManagerTest {
  private final ScriptedInstance it = new ScriptedInstance();

  @Nested
  class Refilling {
    @Test
    void aFirstRefusedQuoteIsAskedForAndServed() {
      assertThat(it.told(7)).isEqualTo(Denial.NO_LEASE);
      it.run();

      final LedgerCommand.Acquire acquire = it.ledgers.next().command(LedgerCommand.Acquire.class);
      assertThat(acquire.demandUnits()).isEqualTo(7);
      assertThat(acquire.policy().minimumUnits())
          .isEqualTo(7 * it.settings.leases().minimumQuotes());
      assertThat(acquire.holder()).isEqualTo(it.instance.holder());
      assertThat(it.ledgers.waiting()).isZero();

      it.ledgers.grant(it.ledgers.sent.get(0), 100, null, it.settings.leases().ttlNanos());
      it.run();
      assertThat(it.told(7)).isNull();
    }

    @Test
    void belowLowWaterMoreIsAcquiredAlongsideAndRequestsGoOn() {
      it.leased(100, null);
      final AdmissionRequest running = it.running(76);
      it.run();

      final Sent topUp = it.ledgers.next();
      assertThat(topUp.command(LedgerCommand.Acquire.class).demandUnits()).isZero();
      assertThat(it.told(24)).as("the old lease serves on meanwhile").isNull();
      it.running(20).complete();
      it.run();
      assertThat(it.ledgers.waiting()).as("usage goes on its own way").isLessThanOrEqualTo(1);

      it.ledgers.grant(topUp, 100, null, it.settings.leases().ttlNanos());
      it.run();
      assertThat(it.freeUnits()).isEqualTo(100);
      running.complete();
    }

    @Test
    void aTopUpThatBringsLessThanIsFreeDisplacesNothing() {
      it.leased(100, null);
      it.running(80);
      it.run();

      it.ledgers.grant(it.ledgers.next(), 10, null, it.settings.leases().ttlNanos());
      it.run();

      assertThat(it.freeUnits()).isEqualTo(20);
      // What was not wanted goes home, whole, in one step.
      final LedgerCommand.Release home = it.ledgers.next().command(LedgerCommand.Release.class);
      assertThat(home.unspentUnits()).isEqualTo(10);
    }

    @Test
    void aRefusedQuoteFoldsWhatIsFreeInOneStep() {
      final Outcome.Granted first = it.leased(100, null);
      it.running(70);

      assertThat(it.told(50)).isEqualTo(Denial.INSUFFICIENT_LEASE);
      it.run();

      final Sent sent = it.ledgers.next();
      final LedgerCommand.Consolidate fold = sent.command(LedgerCommand.Consolidate.class);
      assertThat(fold.oldLeaseId()).isEqualTo(first.leaseId());
      assertThat(fold.oldFence()).isEqualTo(first.fence());
      assertThat(fold.freeUnits()).isEqualTo(30);
      assertThat(fold.demandUnits()).isEqualTo(50);
      assertThat(it.freeUnits()).as("off the counter while they travel").isZero();

      it.ledgers.grant(sent, 60, null, it.settings.leases().ttlNanos());
      it.run();
      assertThat(it.told(50)).isNull();
    }

    @Test
    void aLeaseWithWorkRunningIsRenewedBeforeItsEnd() {
      it.leased(100, null);
      it.running(100);
      it.run();
      final Sent topUp = it.ledgers.next();
      it.ledgers.grant(topUp, 100, null, it.settings.leases().ttlNanos());
      it.run();

      final long usable = it.settings.leases().ttlNanos() - it.settings.leases().marginNanos();
      final List<LedgerCommand> sent = new ArrayList<>();
      while (sent.stream().noneMatch(LedgerCommand.Renew.class::isInstance)) {
        it.untilSent(usable);
        final Sent next = it.ledgers.next();
        sent.add(next.request().command());
        if (next.request().command() instanceof LedgerCommand.LeaseStepCommand) {
          it.ledgers.step(next);
        } else {
          it.ledgers.grant(next, 100, null, it.settings.leases().ttlNanos());
        }
        it.run();
      }

      assertThat(it.time.nowNanos() - ManualTime.START_NANOS)
          .as("with a third of its life to spare")
          .isLessThanOrEqualTo(usable - usable / 4);
    }
  }

  @Nested
  class Funding {
    @Test
    void evidenceRulesOutWhatItCannotServeAndNothingElse() {
      it.leased(10, null);
      it.running(10);
      assertThat(it.told(8)).isEqualTo(Denial.INSUFFICIENT_LEASE);
      it.run();
      it.ledgers.refuse(it.ledgers.next(), Refusal.BALANCE_INSUFFICIENT, evidence(10));
      it.run();

      assertThat(it.told(11)).isEqualTo(Denial.BALANCE_INSUFFICIENT);
      assertThat(it.told(10))
          .as("within the bound nothing is proved")
          .isEqualTo(Denial.INSUFFICIENT_LEASE);
      assertThat(it.account().evidence()).hasValue(evidence(10));
    }

    @Test
    void aHopelessQuoteIsPolledForWithinTheBackstop() {
      exhaust();

      final long waited = it.untilSent(2 * SECOND);

      assertThat(waited).isLessThanOrEqualTo(it.settings.leases().backstopNanos());
      final Sent poll = it.ledgers.next();
      assertThat(poll.command(LedgerCommand.Acquire.class).demandUnits()).isEqualTo(5);
      it.ledgers.grant(poll, 100, null, it.settings.leases().ttlNanos());
      it.run();
      assertThat(it.told(5)).isNull();
    }

    @Test
    void fundingThatChangedIsFeltAtOnce() {
      exhaust();
      it.account().fundingChanged();
      it.run();

      assertThat(it.account().evidence()).isEmpty();
      assertThat(it.told(5)).isEqualTo(Denial.NO_LEASE);
      it.run();
      assertThat(it.ledgers.next().command(LedgerCommand.Acquire.class).demandUnits()).isEqualTo(5);
    }

    @Test
    void evidenceThatWasAskedForBeforeFundingChangedIsDiscarded() {
      it.told(5);
      it.run();
      final Sent acquire = it.ledgers.next();
      it.account().fundingChanged();
      it.ledgers.refuse(acquire, Refusal.BALANCE_EXHAUSTED, evidence(0));
      it.run();

      assertThat(it.account().evidence()).isEmpty();
      assertThat(it.told(5)).isEqualTo(Denial.NO_LEASE);
    }

    private void exhaust() {
      it.told(5);
      it.run();
      it.ledgers.refuse(it.ledgers.next(), Refusal.BALANCE_EXHAUSTED, evidence(0));
      it.run();
      assertThat(it.told(5)).isEqualTo(Denial.BALANCE_EXHAUSTED);
    }

    private Evidence evidence(long remaining) {
      return new Evidence(remaining, Long.MAX_VALUE, 3);
    }
  }

  @Nested
  class Recalling {
    @Test
    void anotherHoldersRecallBringsHomeWhatWasNotUsedLately() {
      final Outcome.Granted lease = it.leased(100, null);
      it.ledgers.recall(recallBy(new Id128(9, 9)));

      final long waited = it.untilSent(SECOND);

      final Sent sent = it.ledgers.next();
      final LedgerCommand.Release back = sent.command(LedgerCommand.Release.class);
      assertThat(back.leaseId()).isEqualTo(lease.leaseId());
      assertThat(back.unspentUnits()).isEqualTo(100);
      assertThat(waited).isGreaterThanOrEqualTo(it.settings.leases().idleNanos());
      assertThat(it.freeUnits()).as("nothing is debited any more").isEqualTo(-1);
      assertThat(it.instance.refills().recallsAnswered()).isEqualTo(1);
    }

    @Test
    void itsOwnRecallIsNone() {
      it.leased(100, null);
      it.ledgers.recall(recallBy(it.instance.holder()));

      it.quietFor(2 * SECOND);

      assertThat(it.ledgers.looks()).isPositive();
      assertThat(it.freeUnits()).isEqualTo(100);
    }

    @Test
    void aLeaseInUseKeepsItsUnits() {
      it.leased(100, null);
      it.ledgers.recall(recallBy(new Id128(9, 9)));
      final AdmissionRequest request = it.instance.newRequest();
      for (int i = 0; i < 200; i++) {
        it.ask(request, 1);
        it.later(it.settings.leases().idleNanos() / 2);
        request.cancel();
        it.later(it.settings.leases().idleNanos() / 4);
        assertThat(it.ledgers.waiting()).isZero();
      }
      assertThat(it.freeUnits()).isEqualTo(100);
    }

    @Test
    void aLeaseInUseAnswersARecallThatPressesAndNoLargerDemandTakesItBackMeanwhile() {
      it.leased(100, null);
      it.ledgers.recall(recallBy(new Id128(9, 9)));
      final long ttlNanos = it.settings.leases().ttlNanos();
      final long waited = useUntilSent(ttlNanos);

      final Sent sent = it.ledgers.next();
      assertThat(sent.command(LedgerCommand.Release.class).unspentUnits()).isEqualTo(100);
      assertThat(waited).isBetween(ttlNanos / 5, ttlNanos / 3);

      it.ledgers.step(sent);
      assertThat(it.told(50)).isNotNull();
      it.quietFor(ttlNanos / 16);

      it.ledgers.noRecall();
      it.untilSent(SECOND);
      assertThat(it.ledgers.next().command(LedgerCommand.Acquire.class).demandUnits())
          .as("once it is met, the demand that waited is asked for")
          .isEqualTo(50);
    }

    @Test
    void aLargerDemandDoesNotWaitForARecallThatPresses() {
      it.leased(100, null);
      it.ledgers.recall(recallBy(new Id128(9, 9)));
      useUntilSent(it.settings.leases().ttlNanos());
      it.ledgers.step(it.ledgers.next());

      assertThat(it.told(51)).isNotNull();
      it.run();

      assertThat(it.ledgers.next().command(LedgerCommand.Acquire.class).demandUnits())
          .isEqualTo(51);
    }

    @Test
    void aRecallThatNobodyCanMeetPressesForAWhileOnly() {
      it.leased(100, null);
      it.ledgers.recall(recallBy(new Id128(9, 9)));
      final long ttlNanos = it.settings.leases().ttlNanos();
      useUntilSent(ttlNanos);
      it.ledgers.step(it.ledgers.next());
      assertThat(it.told(1)).isNotNull();

      assertThat(it.untilSent(ttlNanos)).isLessThan(ttlNanos / 6);

      final Outcome.Granted again = it.ledgers.grant(it.ledgers.next(), 100, null, 10 * ttlNanos);
      it.run();
      assertThat(again.units()).isEqualTo(100);
      assertThat(useUntilSent(2 * ttlNanos)).as("and again much later").isGreaterThan(ttlNanos / 2);
    }

    @Test
    void aLeaseNobodyHasAskedForIsNotTakenWhileOthersNeedUnits() {
      it.leased(100, null);
      final long endsAtNanos = it.time.nowNanos() + 3 * SECOND;
      it.ledgers.recall(new Recall(50, new Id128(9, 9), it.time.nowNanos(), endsAtNanos));
      it.untilSent(SECOND);
      it.ledgers.step(it.ledgers.next());
      it.ledgers.noRecall();
      final LeaseManager manager =
          (LeaseManager) it.instance.admission().accounts().find(ScriptedInstance.ACCOUNT).owner();
      manager.standBy();

      it.quietFor(SECOND);

      it.untilSent(4 * SECOND);
      assertThat(it.ledgers.next().command(LedgerCommand.Acquire.class).demandUnits()).isZero();
      assertThat(it.time.nowNanos()).isGreaterThanOrEqualTo(endsAtNanos);
    }

    /** Uses the lease all the time until something is sent. */
    private long useUntilSent(long longestNanos) {
      final long from = it.time.nowNanos();
      final AdmissionRequest request = it.instance.newRequest();
      while (it.ledgers.waiting() == 0) {
        assertThat(it.time.nowNanos() - from).isLessThan(longestNanos);
        if (it.ask(request, 1) == null) {
          it.later(it.settings.leases().idleNanos() / 2);
          request.cancel();
        }
        it.later(it.settings.leases().idleNanos() / 4);
      }
      return it.time.nowNanos() - from;
    }

    private Recall recallBy(Id128 holder) {
      return new Recall(
          50, holder, ManualTime.START_NANOS, ManualTime.START_NANOS + 3_600 * SECOND);
    }
  }

  @Nested
  class Uncertainty {
    @Test
    void aFoldKnownToHaveFailedPutsItsUnitsBack() {
      it.leased(100, null);
      it.running(70);
      it.told(50);
      it.run();
      final Sent fold = it.ledgers.next();
      assertThat(it.told(1)).isEqualTo(Denial.INSUFFICIENT_LEASE);

      fold.failed();
      it.run();

      assertThat(it.freeUnits()).isEqualTo(30);
      assertThat(it.told(30)).isNull();
    }

    @Test
    void anUnknownFoldIsParkedAndRepeatedAsItWas() {
      it.leased(100, null);
      it.running(70);
      it.told(50);
      it.run();
      final Sent first = it.ledgers.next();
      first.isUnknown();
      it.run();

      assertThat(it.freeUnits()).as("not reinstated").isZero();
      assertThat(it.instance.refills().parked()).isEqualTo(1);
      assertThat(it.instance.refills().uncertain()).isEqualTo(1);
      assertThat(it.instance.refills().uncertainUnits())
          .as("16 of the largest quotes")
          .isEqualTo(1_120);
      it.untilSent(2 * SECOND);
      final Sent second = it.ledgers.next();
      assertThat(second.request().command()).isEqualTo(first.request().command());
      assertThat(it.ledgers.waiting()).as("one command at a time").isZero();

      it.ledgers.grant(second, 50, null, it.settings.leases().ttlNanos());
      it.run();
      assertThat(it.told(50)).isNull();
      assertThat(it.instance.refills().uncertain()).isZero();
      assertThat(it.instance.refills().uncertainUnits()).isZero();
    }

    /** Found by the model of the refill owner (R35). */
    @Test
    void aFoldedLeaseWhoseUsageWasRecordedAfterTheFoldIsStillReleased() {
      it.leased(100, null);
      final AdmissionRequest running = it.running(70);
      it.told(50);
      it.run();
      final Sent fold = it.ledgers.next();
      fold.command(LedgerCommand.Consolidate.class);
      fold.isUnknown();
      it.run();
      // It did happen, and left the lease active with the 70 under way; now they are recorded.
      running.complete();
      it.untilSent(SECOND);
      final Sent usage = it.ledgers.next();
      usage.command(LedgerCommand.RecordUsage.class);
      it.ledgers.answer(usage, new Outcome.UsageRecorded(List.of(UsageVerdict.LEASED)));
      it.untilSent(2 * SECOND);
      final Sent again = it.ledgers.next();
      assertThat(again.request().command()).isEqualTo(fold.request().command());
      it.ledgers.grant(again, 50, null, it.settings.leases().ttlNanos());

      it.untilSent(2 * SECOND);
      assertThat(it.ledgers.next().command(LedgerCommand.Release.class).unspentUnits()).isZero();
    }

    @Test
    void aRefusalAfterItIsBelievedOnlyWhenNoAttemptCanActAnyMore() {
      it.leased(100, null);
      it.running(70);
      it.told(50);
      it.run();
      final Sent first = it.ledgers.next();
      first.isUnknown();
      it.run();
      it.untilSent(2 * SECOND);
      final Sent second = it.ledgers.next();
      it.ledgers.refuse(second, Refusal.BALANCE_INSUFFICIENT, null);
      it.run();
      assertThat(it.freeUnits()).as("an earlier attempt may still act").isZero();

      // The same command again and again, until ledger time is past what the unknown one may do.
      Sent last = second;
      while (it.time.nowNanos() <= first.request().notAfterNanos() + Ledgers.SETTLED_AFTER_NANOS) {
        it.untilSent(2 * SECOND);
        last = it.ledgers.next();
        assertThat(last.request().command()).isEqualTo(first.request().command());
        if (it.time.nowNanos() <= first.request().notAfterNanos() + Ledgers.SETTLED_AFTER_NANOS) {
          it.ledgers.refuse(last, Refusal.BALANCE_INSUFFICIENT, null);
          it.run();
        }
      }
      it.ledgers.refuse(last, Refusal.BALANCE_INSUFFICIENT, null);
      it.run();

      // Known now not to have happened: the units go home with a step of their own (R35).
      assertThat(it.freeUnits()).as("not put back").isLessThanOrEqualTo(0);
      it.untilSent(2 * SECOND);
      assertThat(it.ledgers.next().command(LedgerCommand.Return.class).units()).isEqualTo(30);
    }

    @Test
    void pausesBetweenAttemptsDoubleAndStayWithinTheBackstop() {
      it.told(5);
      it.run();
      long full = it.settings.leases().firstBackoffNanos();
      for (int attempt = 0; attempt < 20; attempt++) {
        it.ledgers.next().failed();
        it.run();
        it.told(5);
        final long waited = it.untilSent(2 * SECOND);
        assertThat(waited).isBetween(full / 2, full + 2 * MILLI);
        full = Math.min(2 * full, it.settings.leases().backstopNanos());
      }
      it.ledgers.grant(it.ledgers.next(), 100, null, it.settings.leases().ttlNanos());
      it.run();
      it.told(200);
      it.run();
      it.ledgers.next().failed();
      it.run();
      it.told(200);
      assertThat(it.untilSent(SECOND))
          .as("a success begins anew")
          .isLessThanOrEqualTo(it.settings.leases().firstBackoffNanos() + 2 * MILLI);
    }

    @ParameterizedTest
    @EnumSource(
        value = Refusal.class,
        names = {"CAPABILITY", "BEYOND_LEASE", "STEP_GAP", "STEP_SUPERSEDED", "CONFLICT"})
    void booksThatDisagreeStopTheInstance(Refusal reason) {
      it.leased(100, null);
      it.running(70);
      it.told(50);
      it.run();

      it.ledgers.refuse(it.ledgers.next(), reason, null);
      it.run();

      assertThat(it.instance.fault()).contains(reason.name());
      assertThat(it.told(1)).isEqualTo(Denial.SHUTTING_DOWN);
      assertThat(it.freeUnits()).as("the slot is cleared").isEqualTo(-1);
      it.quietFor(70 * SECOND);
    }

    @Test
    void whatWasReclaimedIsForfeitedAndCounted() {
      it.leased(100, null);
      it.running(70);
      it.told(50);
      it.run();

      it.ledgers.refuse(it.ledgers.next(), Refusal.LEASE_ENDED, null);
      it.run();

      assertThat(it.instance.refills().forfeitedUnits()).isEqualTo(100);
      assertThat(it.freeUnits()).isEqualTo(-1);
      assertThat(it.instance.fault()).isNull();
    }
  }

  @Nested
  class ShuttingDown {
    @Test
    void everythingGoesHomeAndNothingIsAcquired() {
      final Outcome.Granted lease = it.leased(100, null);
      it.instance.pause();
      it.run();
      assertThat(it.told(1)).isEqualTo(Denial.SHUTTING_DOWN);
      it.quietFor(SECOND);

      it.instance.release();
      it.run();
      assertThat(it.instance.isReleased()).isFalse();
      final Sent end = it.ledgers.next();
      assertThat(end.command(LedgerCommand.Release.class))
          .isEqualTo(new LedgerCommand.Release(lease.leaseId(), lease.fence(), 1, 100));
      it.ledgers.step(end);
      it.run();

      assertThat(it.instance.isReleased()).isTrue();
      assertThat(it.instance.report(0).isClean()).isTrue();
    }

    @Test
    void aLeaseIsNotReleasedUnderRunningWorkNorBeforeItsUsageIsRecorded() {
      it.leased(100, null);
      final AdmissionRequest running = it.running(70);
      it.instance.pause();
      it.instance.release();
      it.run();
      final Sent back = it.ledgers.next();
      assertThat(back.command(LedgerCommand.Return.class).units()).isEqualTo(30);
      it.ledgers.step(back);
      it.quietFor(SECOND);
      assertThat(it.instance.isReleased()).isFalse();

      running.settle(60, it.time.nowNanos());
      it.untilSent(SECOND);
      final List<Sent> sent = new ArrayList<>();
      sent.add(it.ledgers.next());
      it.later(10 * MILLI);
      while (it.ledgers.waiting() > 0) {
        sent.add(it.ledgers.next());
      }
      final Sent usage =
          sent.stream()
              .filter(s -> s.request().command() instanceof LedgerCommand.RecordUsage)
              .findFirst()
              .orElseThrow();
      for (final Sent other : sent) {
        if (!other.equals(usage)) {
          assertThat(other.command(LedgerCommand.Return.class).units()).isEqualTo(10);
          it.ledgers.step(other);
        }
      }
      it.run();
      assertThat(it.instance.isReleased()).isFalse();

      it.ledgers.answer(usage, new Outcome.UsageRecorded(List.of(UsageVerdict.LEASED)));
      it.run();
      final Sent end = it.ledgers.next();
      end.command(LedgerCommand.Release.class);
      it.ledgers.step(end);
      it.run();
      assertThat(it.instance.isReleased()).isTrue();
    }

    @Test
    void whatIsLeftIsReported() {
      it.leased(100, null);
      it.running(70);
      it.told(50);
      it.run();
      it.ledgers.next().isUnknown();
      it.run();

      final ShutdownReport report = it.instance.report(1);

      assertThat(report.abandonedLeases()).isEqualTo(1);
      assertThat(report.uncertainCommands()).isEqualTo(1);
      assertThat(report.isClean()).isFalse();
    }
  }

  /** Witnesses R36: another account of the same instance goes on, and this one begins anew. */
  @Test
  void aManagerThatFailsGivesUpItsLeasesAndBeginsAnewLaterEachTime() {
    final Id128 other = new Id128(0xACC, 2);
    it.open(other);
    it.leased(100, null);
    it.running(70);
    long pause = 0;
    for (int death = 1; death <= 4; death++) {
      it.told(200);
      final long waited = it.untilSent(it.settings.leases().ttlNanos());
      assertThat(waited).isGreaterThanOrEqualTo(pause / 2);
      pause = Math.max(2 * pause, it.settings.leases().backstopNanos());
      // No clock shows such a time: the lease cannot be made.
      it.ledgers.grant(it.ledgers.next(), 100, null, Long.MIN_VALUE - it.time.nowNanos());
      it.run();

      assertThat(it.instance.refills().deaths()).isEqualTo(death);
      assertThat(it.told(1)).isEqualTo(Denial.NO_LEASE);
      assertThat(it.instance.fault()).isNull();
    }
    assertThat(it.instance.refills().abandonedLeases()).isEqualTo(1);
    assertThat(it.instance.refills().abandonedUnits()).as("what the fold left").isEqualTo(70);
    assertThat(it.instance.refills().uncertain()).as("grants nobody took note of").isEqualTo(4);

    it.untilSent(it.settings.leases().ttlNanos());
    it.ledgers.grant(it.ledgers.next(), 300, null, it.settings.leases().ttlNanos());
    it.run();
    assertThat(it.told(200)).isNull();
    assertThat(it.instance.report(0).abandonedLeases()).isEqualTo(2);
    assertThat(it.instance.report(0).uncertainCommands()).isEqualTo(4);
    it.later(it.settings.leases().notAfterNanos() + it.settings.leases().ttlNanos());
    assertThat(it.instance.refills().uncertain()).as("what was granted has expired").isZero();
    assertThat(it.instance.refills().uncertainUnits()).isZero();
  }

  @Test
  void anAccountThatTheLedgerDoesNotKnowIsDeniedAndAskedForAgain() {
    it.told(5);
    it.run();
    it.ledgers.refuse(it.ledgers.next(), Refusal.UNKNOWN_ACCOUNT, null);
    it.run();

    assertThat(it.told(5)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    it.later(5 * SECOND);
    assertThat(it.told(5)).isEqualTo(Denial.NO_LEASE);
    assertThat(it.instance.accounts()).extracting(ManagedAccount::id).containsExactly(ACCOUNT);
  }

  @Test
  void aBellThatRangAfterItsDemandWasTakenRingsAgainForTheNext() {
    final LeaseSlot slot =
        it.instance.admission().accounts().find(ScriptedInstance.ACCOUNT).leases();
    // What is left when an owner takes the demand between a request's note of it and its bell.
    assertThat(slot.refuse(5, 0, false, it.time.nowNanos()).isFinal()).isFalse();
    assertThat(slot.takeDemand()).isEqualTo(5);
    it.run();
    assertThat(slot.bells() & LeaseSlot.REFUSED).isZero();

    slot.evidence(new Evidence(3, Long.MAX_VALUE, 1), slot.fundingEpoch(), 0);
    assertThat(slot.refuse(5, 0, false, it.time.nowNanos()).isFinal()).isTrue();
    assertThat(slot.takeHopelessDemand()).isEqualTo(5);
    it.run();
    assertThat(slot.bells() & LeaseSlot.HOPELESS).isZero();
  }
}
