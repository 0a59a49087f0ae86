package io.tollgrid.client;

import static io.tollgrid.admission.outcome.Outcome.ABANDONED_AFTER_START;
import static io.tollgrid.client.ScriptedInstance.ACCOUNT;
import static io.tollgrid.client.ScriptedInstance.MILLI;
import static io.tollgrid.client.ScriptedInstance.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.ScriptedInbox.Visit;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R22 (the queue empties by acknowledgement only; credits bound what is in the inbox; an
 * event without an answer holds back nobody else), R21 (a settled charge is left until it is
 * answered), R20 (what is left again keeps its ids) and R36 (usage that the ledger calls impossible
 * stops the instance).
 */
class UsageWriterTest {
  private static final int SLOTS = 8;

  /** How long an operation may run unless its price says otherwise. */
  private static final long LONGEST_NANOS = 600 * SECOND;

  private static final Id128 OTHER = new Id128(0xACC, 2);

  private final ScriptedInbox inbox = new ScriptedInbox();
  private final ScriptedInstance it =
      new ScriptedInstance(
          InstanceSettings.DEFAULTS.with(UsageSettings.DEFAULTS.queue(1, SLOTS)), inbox);

  @Test
  void eventsOfAShortWhileShareABatchWhateverTheirAccounts() {
    it.leased(1_000, null);
    openOther();
    spend(2, 1);
    spendOther(1);
    it.run();
    assertThat(inbox.waiting()).as("they wait for others").isZero();

    final long waited = untilVisited();

    assertThat(waited).isLessThanOrEqualTo(it.settings.usage().lingerNanos());
    assertThat(inbox.next().batch().deliveries())
        .extracting(UsageDelivery::account)
        .containsExactly(ACCOUNT, ACCOUNT, OTHER);
  }

  @Test
  void aSlotIsFreeAgainOnlyWhenItsEventWasClassified() {
    it.leased(1_000, null);
    spend(SLOTS, 1);
    assertThat(it.told(1)).isEqualTo(Denial.USAGE_QUEUE_FULL);
    final Visit left = visit();
    assertThat(left.isQuestion()).isFalse();
    left.knows(0, UsageVerdict.LEASED);
    it.later(5 * SECOND);
    assertThat(it.told(1))
        .as("neither by age nor by having been left")
        .isEqualTo(Denial.USAGE_QUEUE_FULL);
    assertThat(it.instance.admission().usage().depth()).isEqualTo(SLOTS);

    final Visit asked = visit();
    assertThat(asked.isQuestion()).isTrue();
    assertThat(inbox.forgotten).isEmpty();
    asked.knows(SLOTS, UsageVerdict.LEASED);
    it.run();

    assertThat(it.told(1)).isNull();
    assertThat(it.instance.admission().usage().depth()).isZero();
    assertThat(it.instance.usage().events(UsageVerdict.LEASED)).isEqualTo(SLOTS);
    assertThat(inbox.forgotten).containsExactly(asked.batch().key());
  }

  @Test
  void aBatchThatWasPerhapsNotLeftIsLeftAgainAsItWas() {
    it.leased(1_000, null);
    spend(2, 3);
    final Visit first = visit();
    long full = it.settings.leases().firstBackoffNanos();
    Visit last = first;
    for (int attempt = 0; attempt < 12; attempt++) {
      last.fails();
      it.run();
      final long waited = untilVisited();
      assertThat(waited).isBetween(full / 2, full + 2 * MILLI);
      full = Math.min(2 * full, it.settings.leases().backstopNanos());
      last = inbox.next();
      assertThat(last.batch()).isEqualTo(first.batch());
      assertThat(last.isQuestion()).isFalse();
    }
    assertThat(it.instance.usage().retries()).isEqualTo(12);
    assertThat(it.instance.usage().batches()).isEqualTo(1);
  }

  /** Lost with the members that had it, or answered by an answer that got lost. */
  @Test
  void whatIsOpenOfABatchThatIsNotThereAnyMoreIsLeftAgainUnderAnotherNumber() {
    it.leased(1_000, null);
    spend(3, 1);
    visit().knows(1, UsageVerdict.LEASED);
    final Visit asked = visit();
    assertThat(asked.known()).isEqualTo(1);

    asked.isAbsent();
    final Visit again = visit();

    assertThat(again.isQuestion()).isFalse();
    assertThat(again.batch().key()).isNotEqualTo(asked.batch().key());
    assertThat(again.events())
        .as("the open events, with the ids they had")
        .isEqualTo(asked.events().subList(1, 3));
    again.knows(2, UsageVerdict.LEASED);
    it.run();
    assertThat(it.instance.admission().usage().depth()).isZero();
    assertThat(it.instance.usage().events(UsageVerdict.LEASED)).isEqualTo(3);
  }

  @Test
  void anAnswerAboutAnotherNumberOfEventsIsNone() {
    it.leased(1_000, null);
    spend(2, 1);
    final Visit left = visit();

    left.says(UsageVerdicts.none(3));
    final Visit again = visit();

    assertThat(again.isQuestion()).isFalse();
    assertThat(again.batch().number()).isGreaterThan(left.batch().number());
    assertThat(again.events()).isEqualTo(left.events());
  }

  @Test
  void deliveriesAreNumberedOnceEach() {
    it.leased(1_000, null);
    final List<Long> sequences = new ArrayList<>();
    final List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      spend(2, 1);
      final Visit left = visit();
      left.events().forEach(event -> sequences.add(event.sequence()));
      numbers.add(left.batch().number());
      assertThat(left.events())
          .extracting(UsageEvent::writer)
          .containsOnly(left.batch().writer())
          .hasSize(2);
      left.knows(2, UsageVerdict.LEASED);
    }

    assertThat(sequences).isSorted().doesNotHaveDuplicates().hasSize(10);
    assertThat(numbers).isSorted().doesNotHaveDuplicates();
  }

  /** As in a service that opens a prepaid account beside those of its ledgers. */
  @Test
  void usageOfAnAccountThatTheInstanceNeverOpenedIsLeftLikeAnyOther() {
    final Id128 stranger = new Id128(0xACC, 3);
    it.instance.admission().openPrepaid(stranger, AccountTerms.STRICT, 100);
    TestPlan.admit(it.instance, stranger);
    final AdmissionRequest request = it.instance.newRequest();
    request.begin(stranger, it.time.nowNanos());
    request.admit(TestPlan.work(it.instance), 7, it.time.nowNanos());
    request.start(it.time.nowNanos());
    request.complete();

    final Visit left = visit();
    assertThat(left.batch().deliveries())
        .extracting(UsageDelivery::account)
        .containsExactly(stranger);
    left.knows(1, UsageVerdict.UNFUNDED);
    it.run();
    assertThat(it.instance.admission().usage().depth()).as("its slot is free").isZero();
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
  void anEventWithoutAnAnswerHoldsBackNoOtherOfItsBatch() {
    it.leased(1_000, null);
    spend(3, 1);
    visit()
        .says(new VerdictsOf(3).at(0, UsageVerdict.LEASED).at(2, UsageVerdict.LEASED).verdicts());
    it.run();
    assertThat(it.instance.admission().usage().depth()).isEqualTo(1);

    Visit asked = visit();
    for (int i = 0; i < 4; i++) {
      assertThat(asked.known()).isEqualTo(2);
      asked.says(
          new VerdictsOf(3).at(0, UsageVerdict.LEASED).at(2, UsageVerdict.LEASED).verdicts());
      asked = visit();
    }
    assertThat(it.instance.usage().events(UsageVerdict.LEASED)).as("counted once").isEqualTo(2);
    asked.says(new VerdictsOf(3).first(3, UsageVerdict.LEASED).verdicts());
    it.run();
    assertThat(it.instance.admission().usage().depth()).isZero();
  }

  @Test
  void creditsBoundWhatIsInTheInbox() {
    final ScriptedInbox small = new ScriptedInbox();
    final ScriptedInstance few =
        new ScriptedInstance(
            InstanceSettings.DEFAULTS.with(new UsageSettings(5 * MILLI, 4, 6, 1, 64)), small);
    few.leased(1_000, null);
    for (int i = 0; i < 9; i++) {
      few.running(1).complete();
    }
    few.later(10 * MILLI);
    few.later(10 * MILLI);
    final Visit first = small.next();
    final Visit second = small.next();
    assertThat(first.events()).hasSize(4);
    assertThat(second.events()).as("as far as the credits go").hasSize(2);
    few.later(SECOND);
    assertThat(small.waiting()).isZero();

    first.knows(4, UsageVerdict.LEASED);
    few.later(30 * MILLI);

    assertThat(small.next().events()).hasSize(3);
  }

  /** Or thousands of batches of an event or two would be asked about while usage is shipped. */
  @Test
  void eventsThatAnswersLetInOneByOneShareABatch() {
    final ScriptedInbox small = new ScriptedInbox();
    final ScriptedInstance few =
        new ScriptedInstance(
            InstanceSettings.DEFAULTS.with(new UsageSettings(5 * MILLI, 4, 8, 1, 64)), small);
    few.leased(1_000, null);
    for (int i = 0; i < 16; i++) {
      few.running(1).complete();
    }
    few.later(MILLI);
    Visit first = small.next();
    assertThat(small.next().events()).hasSize(4);

    for (int known = 1; known < 4; known++) {
      first.knows(known, UsageVerdict.LEASED);
      few.later(MILLI);
      first = small.next();
      assertThat(first.isQuestion()).isTrue();
      assertThat(small.waiting()).as("batches left after an answer for one event").isZero();
    }
    first.knows(4, UsageVerdict.LEASED);
    few.later(MILLI);
    assertThat(small.next().events()).hasSize(4);
  }

  @ParameterizedTest
  @EnumSource(
      value = UsageVerdict.class,
      names = {"NO_SUCH_LEASE", "BEYOND_LEASE", "BEYOND_LOSS", "OVERAGE_FORBIDDEN"})
  void usageThatTheLedgerCallsImpossibleStopsTheInstance(UsageVerdict verdict) {
    it.leased(1_000, null);
    spend(1, 6);
    visit().knows(1, verdict);
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
    visit().knows(1, verdict);
    it.run();

    assertThat(it.instance.fault()).isNull();
    assertThat(it.instance.usage().events(verdict)).isEqualTo(1);
    assertThat(it.instance.usage().refusedEvents()).isEqualTo(1);
    assertThat(it.instance.usage().refusedUnits()).isEqualTo(6);
    assertThat(it.instance.report(0).refusedUnits()).isEqualTo(6);
    assertThat(it.instance.report(0).isClean()).isFalse();
    assertThat(it.instance.admission().usage().depth()).isZero();
  }

  @Test
  void whatWasNeverSentIsLostAndWhatWasSentIsUnresolved() {
    it.leased(1_000, null);
    spend(2, 3);
    visit().fails();
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
    final ScriptedInbox large = new ScriptedInbox();
    final ScriptedInstance many =
        new ScriptedInstance(
            InstanceSettings.DEFAULTS.with(UsageSettings.DEFAULTS.queue(1, 2_000)), large);
    many.leased(1L << 40, null);
    for (int i = 0; i < 1_100; i++) {
      many.running(1).complete();
    }
    many.later(30 * MILLI);
    many.later(30 * MILLI);

    final List<Integer> sizes = new ArrayList<>();
    while (large.waiting() > 0) {
      sizes.add(large.next().events().size());
    }
    assertThat(sizes).containsExactly(512, 512, 76);
  }

  private void spend(int requests, long units) {
    for (int i = 0; i < requests; i++) {
      it.running(units).complete();
    }
  }

  private void openOther() {
    it.open(OTHER);
    final AdmissionRequest request = it.instance.newRequest();
    request.begin(OTHER, it.time.nowNanos());
    assertThat(request.admit(TestPlan.work(it.instance), 1, it.time.nowNanos()))
        .isEqualTo(Denial.NO_LEASE);
    it.run();
    it.ledgers.grant(it.ledgers.next(), 100, null, it.settings.leases().ttlNanos());
    it.run();
  }

  private void spendOther(long units) {
    final AdmissionRequest request = it.instance.newRequest();
    request.begin(OTHER, it.time.nowNanos());
    request.admit(TestPlan.work(it.instance), units, it.time.nowNanos());
    request.start(it.time.nowNanos());
    request.complete();
  }

  private Visit visit() {
    final long waited = untilVisited();
    assertThat(waited).isLessThan(3 * SECOND);
    return inbox.next();
  }

  private long untilVisited() {
    final long from = it.time.nowNanos();
    it.run();
    while (inbox.waiting() == 0) {
      if (it.time.nowNanos() - from > 3 * SECOND) {
        throw new AssertionError("nobody came");
      }
      it.later(MILLI);
    }
    return it.time.nowNanos() - from;
  }
}
