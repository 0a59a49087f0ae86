package io.tollgrid.client;

import static io.tollgrid.admission.outcome.Outcome.ABANDONED_AFTER_START;
import static io.tollgrid.client.ScriptedInstance.ACCOUNT;
import static io.tollgrid.client.ScriptedInstance.MILLI;
import static io.tollgrid.client.ScriptedInstance.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.ScriptedLedgers.Sent;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R22 (the queue empties by acknowledgement only; a refused batch or a poison event holds
 * back nobody else), R21 (a settled charge is sent until it is answered), R20 (a repeated batch
 * keeps its ids) and R36 (usage that the ledger calls impossible stops the instance).
 */
class UsageWriterTest {
  private static final int SLOTS = 8;

  /** How long an operation may run unless its price says otherwise. */
  private static final long LONGEST_NANOS = 600 * SECOND;

  private static final Id128 OTHER = new Id128(0xACC, 2);

  private final ScriptedInstance it =
      new ScriptedInstance(InstanceSettings.DEFAULTS.with(UsageSettings.DEFAULTS.queue(1, SLOTS)));

  @Test
  void eventsOfAShortWhileShareABatch() {
    it.leased(1_000, null);
    spend(3, 1);
    it.run();
    assertThat(it.ledgers.waiting()).as("they wait for others").isZero();

    final long waited = it.untilSent(SECOND);

    assertThat(waited).isLessThanOrEqualTo(it.settings.usage().lingerNanos());
    assertThat(batch(it.ledgers.next())).hasSize(3);
  }

  @Test
  void aSlotIsFreeAgainOnlyWhenItsEventWasAnswered() {
    it.leased(1_000, null);
    spend(SLOTS, 1);
    assertThat(it.told(1)).isEqualTo(Denial.USAGE_QUEUE_FULL);
    it.untilSent(SECOND);
    final Sent sent = it.ledgers.next();
    it.quietFor(5 * SECOND);
    assertThat(it.told(1))
        .as("neither by age nor by having been sent")
        .isEqualTo(Denial.USAGE_QUEUE_FULL);
    assertThat(it.instance.admission().usage().depth()).isEqualTo(SLOTS);

    accept(sent);

    assertThat(it.told(1)).isNull();
    assertThat(it.instance.admission().usage().depth()).isZero();
    assertThat(it.instance.usage().events(UsageVerdict.LEASED)).isEqualTo(SLOTS);
  }

  @Test
  void aBatchWhoseOutcomeIsUnknownIsSentAgainAsItWas() {
    it.leased(1_000, null);
    spend(2, 3);
    it.untilSent(SECOND);
    final Sent first = it.ledgers.next();
    spend(1, 5);
    long full = it.settings.leases().firstBackoffNanos();
    Sent last = first;
    for (int attempt = 0; attempt < 12; attempt++) {
      last.isUnknown();
      it.run();
      final long waited = it.untilSent(2 * SECOND);
      assertThat(waited).isBetween(full / 2, full + 2 * MILLI);
      full = Math.min(2 * full, it.settings.leases().backstopNanos());
      last = it.ledgers.next();
      assertThat(last.request().command())
          .as("the same events under the same ids, and no newer ones among them")
          .isEqualTo(first.request().command());
      assertThat(last.request().notAfterNanos()).isGreaterThan(first.request().notAfterNanos());
    }
    assertThat(it.instance.usage().retries()).isEqualTo(12);
    assertThat(it.instance.usage().batches()).isEqualTo(1);

    accept(last);
    it.untilSent(SECOND);
    assertThat(batch(it.ledgers.next())).extracting(UsageEvent::units).containsExactly(5L);
  }

  @Test
  void deliveriesAreNumberedOnceEach() {
    it.leased(1_000, null);
    final List<Long> sequences = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      spend(2, 1);
      it.untilSent(SECOND);
      final Sent sent = it.ledgers.next();
      batch(sent).forEach(event -> sequences.add(event.sequence()));
      assertThat(batch(sent)).extracting(UsageEvent::writer).hasSize(2).doesNotContainNull();
      accept(sent);
    }

    assertThat(sequences).isSorted().doesNotHaveDuplicates().hasSize(10);
  }

  @Test
  void whatCanNeverBeRecordedIsGivenUpCountedAndNamed() {
    it.leased(1_000, null);
    spend(2, 4);
    it.untilSent(SECOND);

    it.ledgers.refuse(it.ledgers.next(), Refusal.UNKNOWN_ACCOUNT, null);
    it.run();

    assertThat(it.instance.usage().refusedEvents()).isEqualTo(2);
    assertThat(it.instance.usage().refusedUnits()).isEqualTo(8);
    assertThat(it.instance.admission().usage().depth()).isZero();
    assertThat(it.instance.report(0).refusedUnits()).isEqualTo(8);
    assertThat(it.instance.report(0).isClean()).isFalse();
  }

  /** As in a service that opens a prepaid account beside those of its ledgers. */
  @Test
  void usageOfAnAccountThatTheInstanceNeverOpenedIsGivenUpAndItsNeighboursGoOn() {
    final Id128 stranger = new Id128(0xACC, 3);
    it.instance.admission().openPrepaid(stranger, AccountTerms.STRICT, 100);
    TestPlan.admit(it.instance, stranger);
    it.leased(1_000, null);
    final AdmissionRequest request = it.instance.newRequest();
    request.begin(stranger, it.time.nowNanos());
    request.admit(TestPlan.work(it.instance), 7, it.time.nowNanos());
    request.start(it.time.nowNanos());
    request.complete();
    spend(1, 1);

    it.untilSent(SECOND);

    assertThat(batch(it.ledgers.next())).extracting(UsageEvent::units).containsExactly(1L);
    assertThat(it.instance.usage().refusedEvents()).isEqualTo(1);
    assertThat(it.instance.usage().refusedUnits()).isEqualTo(7);
    assertThat(it.instance.admission().usage().depth()).as("its slot is free").isEqualTo(1);
  }

  @Test
  void whatIsLeftOpenForTooLongIsFoundAndCharged() {
    it.leased(1_000, null);
    it.running(9);
    it.later(2 * LONGEST_NANOS + 6 * SECOND);

    assertThat(it.instance.admission().usage().startedRequests()).isZero();
    assertThat(it.instance.admission().counters().count(ABANDONED_AFTER_START)).isEqualTo(1);
  }

  @Test
  void aPoisonEventIsFoundByHalvingAndItsNeighboursGoOn() {
    it.leased(1_000, null);
    spend(5, 1);
    it.untilSent(SECOND);
    final Sent whole = it.ledgers.next();
    final List<UsageEvent> events = batch(whole);
    final UsageEvent poison = events.get(3);
    final List<UsageEvent> recorded = new ArrayList<>();

    Sent sent = whole;
    while (true) {
      if (batch(sent).contains(poison)) {
        it.ledgers.refuse(sent, Refusal.BALANCE_OVERFLOW, null);
      } else {
        recorded.addAll(batch(sent));
        accept(sent);
      }
      it.run();
      if (it.ledgers.waiting() == 0) {
        it.later(10 * MILLI);
      }
      if (it.ledgers.waiting() == 0) {
        break;
      }
      sent = it.ledgers.next();
    }

    final List<UsageEvent> neighbours = new ArrayList<>(events);
    neighbours.remove(poison);
    assertThat(recorded).containsExactlyElementsOf(neighbours);
    assertThat(it.instance.usage().refusedEvents()).isEqualTo(1);
    assertThat(it.instance.usage().refusedUnits()).isEqualTo(1);
    assertThat(it.instance.admission().usage().depth()).isZero();
  }

  @Test
  void aBatchThatCameTooLateIsSentAgain() {
    it.leased(1_000, null);
    spend(1, 1);
    it.untilSent(SECOND);
    final Sent late = it.ledgers.next();
    it.ledgers.refuse(late, Refusal.EXPIRED, null);
    it.run();

    it.untilSent(SECOND);
    final Sent again = it.ledgers.next();
    assertThat(again.request().command()).isEqualTo(late.request().command());
    accept(again);
    assertThat(it.instance.usage().refusedEvents()).isZero();
  }

  @Test
  void anAccountThatIsNotAnsweredHoldsBackNoOther() {
    it.open(OTHER);
    it.leased(1_000, null);
    final AdmissionRequest request = it.instance.newRequest();
    request.begin(OTHER, it.time.nowNanos());
    assertThat(request.admit(TestPlan.work(it.instance), 1, it.time.nowNanos()))
        .isEqualTo(Denial.NO_LEASE);
    it.run();
    it.ledgers.grant(it.ledgers.next(), 100, null, it.settings.leases().ttlNanos());
    it.run();
    spend(1, 1);
    it.untilSent(SECOND);
    final Sent stuck = it.ledgers.next();
    assertThat(stuck.request().account()).isEqualTo(ACCOUNT);

    request.begin(OTHER, it.time.nowNanos());
    request.admit(TestPlan.work(it.instance), 9, it.time.nowNanos());
    request.start(it.time.nowNanos());
    request.complete();
    it.untilSent(SECOND);

    final Sent other = it.ledgers.next();
    assertThat(other.request().account()).isEqualTo(OTHER);
    accept(other);
    assertThat(it.instance.admission().usage().depth()).isEqualTo(1);
    accept(stuck);
    assertThat(it.instance.admission().usage().depth()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = UsageVerdict.class,
      names = {"NO_SUCH_LEASE", "BEYOND_LEASE", "BEYOND_LOSS", "OVERAGE_FORBIDDEN"})
  void usageThatTheLedgerCallsImpossibleStopsTheInstance(UsageVerdict verdict) {
    it.leased(1_000, null);
    spend(1, 6);
    it.untilSent(SECOND);
    it.ledgers.answer(it.ledgers.next(), new Outcome.UsageRecorded(List.of(verdict)));
    it.run();

    assertThat(it.instance.fault()).contains(verdict.name());
    assertThat(it.told(1)).isEqualTo(Denial.SHUTTING_DOWN);
    assertThat(it.instance.usage().refusedUnits()).isEqualTo(6);
  }

  @ParameterizedTest
  @EnumSource(
      value = UsageVerdict.class,
      names = {"REQUEST_ID_INVALID", "REQUEST_ID_TOO_OLD", "USAGE_OVERFLOW"})
  void usageThatIsRejectedOtherwiseIsCountedAndTheInstanceGoesOn(UsageVerdict verdict) {
    it.leased(1_000, null);
    spend(1, 6);
    it.untilSent(SECOND);
    it.ledgers.answer(it.ledgers.next(), new Outcome.UsageRecorded(List.of(verdict)));
    it.run();

    assertThat(it.instance.fault()).isNull();
    assertThat(it.instance.usage().events(verdict)).isEqualTo(1);
    assertThat(it.instance.usage().refusedUnits()).isEqualTo(6);
    assertThat(it.instance.admission().usage().depth()).isZero();
  }

  @Test
  void whatWasNeverSentIsLostAndWhatWasSentIsUnresolved() {
    it.leased(1_000, null);
    spend(2, 3);
    it.untilSent(SECOND);
    it.ledgers.next().isUnknown();
    it.run();
    spend(1, 10);
    it.run();
    spend(1, 20);

    final ShutdownReport report = it.instance.report(0);

    assertThat(report.unresolvedEvents()).isEqualTo(2);
    assertThat(report.unresolvedUnits()).isEqualTo(6);
    assertThat(report.lostEvents()).isEqualTo(2);
    assertThat(report.lostUnits()).isEqualTo(30);
  }

  @Test
  void noBatchIsLargerThanAllowed() {
    final ScriptedInstance many =
        new ScriptedInstance(
            InstanceSettings.DEFAULTS.with(UsageSettings.DEFAULTS.queue(1, 2_000)));
    many.leased(1L << 40, null);
    for (int i = 0; i < 1_100; i++) {
      many.running(1).complete();
    }
    many.run();
    final List<Integer> sizes = new ArrayList<>();
    while (sizes.size() < 3) {
      many.untilSent(SECOND);
      final Sent sent = many.ledgers.next();
      sizes.add(batch(sent).size());
      many.ledgers.answer(
          sent,
          new Outcome.UsageRecorded(Collections.nCopies(batch(sent).size(), UsageVerdict.LEASED)));
      many.run();
    }

    assertThat(sizes).containsExactly(512, 512, 76);
  }

  private void spend(int requests, long units) {
    for (int i = 0; i < requests; i++) {
      it.running(units).complete();
    }
  }

  private void accept(Sent sent) {
    it.ledgers.answer(
        sent,
        new Outcome.UsageRecorded(Collections.nCopies(batch(sent).size(), UsageVerdict.LEASED)));
    it.run();
  }

  private static List<UsageEvent> batch(Sent sent) {
    return sent.command(LedgerCommand.RecordUsage.class).events();
  }
}
