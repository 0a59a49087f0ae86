package io.tollgrid.grid.usage;

import static io.tollgrid.grid.usage.Deliveries.account;
import static io.tollgrid.grid.usage.Deliveries.batch;
import static io.tollgrid.grid.usage.Deliveries.taken;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.usage.ScriptedRecords.Sent;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R22: an account that fails or is slow, and an event that spoils its batch, hold back
 * nobody else, and nothing that was taken on is forgotten.
 */
class UsageRecorderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RecorderSettings SETTINGS =
      new RecorderSettings(1_200, 4, 1, 10 * SECOND, SECOND, SECOND / 10, 5 * SECOND);

  private final ScriptedRecords ledgers = new ScriptedRecords();
  private final Map<TakenUsage, UsageVerdict> classified = new LinkedHashMap<>();
  private final List<TakenUsage> heldBack = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private @Nullable LedgerClient client = ledgers;
  private long now = 1_700_000_000L * SECOND;
  private final UsageRecorder recorder =
      new UsageRecorder(
          () -> client,
          () -> now,
          SETTINGS,
          new UsageRecorder.Ends() {
            @Override
            public void classified(List<TakenUsage> taken, List<UsageVerdict> verdicts) {
              for (int i = 0; i < taken.size(); i++) {
                assertThat(classified.put(taken.get(i), verdicts.get(i))).isNull();
              }
            }

            @Override
            public void heldBack(List<TakenUsage> taken) {
              heldBack.addAll(taken);
            }

            @Override
            public void failed(String code) {
              failures.add(code);
            }
          });

  private List<TakenUsage> offer(UsageBatch batch) {
    final List<TakenUsage> all =
        IntStream.range(0, batch.deliveries().size()).mapToObj(i -> taken(batch, i)).toList();
    all.forEach(one -> assertThat(recorder.offer(one)).isTrue());
    recorder.work();
    return all;
  }

  @Test
  void eventsOfOneAccountShareACommandInTheirOrder() {
    final List<TakenUsage> all = offer(batch(1, 1, 2, 1, 1));

    final Sent first = ledgers.next();
    final Sent second = ledgers.next();
    assertThat(first.account()).isEqualTo(account(1));
    assertThat(first.events())
        .extracting(UsageEvent::units)
        .containsExactly(1_000L, 1_002L, 1_003L);
    assertThat(first.request().actor()).isEqualTo(UsageRecorder.ACTOR);
    assertThat(first.request().notAfterNanos()).isEqualTo(now + SETTINGS.notAfterNanos());
    assertThat(second.account()).isEqualTo(account(2));
    first.answer(
        new Outcome.UsageRecorded(
            List.of(UsageVerdict.LEASED, UsageVerdict.DUPLICATE, UsageVerdict.BEYOND_LEASE)));
    second.classify(UsageVerdict.UNFUNDED);

    assertThat(classified)
        .containsEntry(all.get(0), UsageVerdict.LEASED)
        .containsEntry(all.get(2), UsageVerdict.DUPLICATE)
        .containsEntry(all.get(3), UsageVerdict.BEYOND_LEASE)
        .containsEntry(all.get(1), UsageVerdict.UNFUNDED);
    assertThat(recorder.events()).isZero();
  }

  @Test
  void anAccountHasOneCommandUnderWayAndWhatComesMeanwhileGoesTogether() {
    offer(batch(1, 1));
    offer(batch(2, 1));
    offer(batch(3, 1));
    assertThat(ledgers.sent).hasSize(1);

    ledgers.next().classify(UsageVerdict.LEASED);

    assertThat(ledgers.next().events()).hasSize(2);
  }

  @Test
  void noCommandIsLargerThanALedgerTakes() {
    offer(batch(1, 1));
    final int[] many = new int[512];
    java.util.Arrays.fill(many, 1);
    offer(batch(2, many));
    offer(batch(3, 1));

    ledgers.next().classify(UsageVerdict.LEASED);
    assertThat(ledgers.sent.element().events()).hasSize(512);
    ledgers.next().classify(UsageVerdict.LEASED);
    assertThat(ledgers.next().events()).hasSize(1);
  }

  @Test
  void commandsUnderWayAreBoundedAndAccountsTakeTurns() {
    offer(batch(1, 1, 2, 3, 4, 5, 6));
    assertThat(ledgers.sent).hasSize(SETTINGS.underWay());
    offer(batch(2, 1));

    ledgers.next().classify(UsageVerdict.LEASED);

    assertThat(ledgers.sent.getLast().account()).as("those who wait first").isEqualTo(account(5));
  }

  @Test
  void whatFindsNoRoomIsNotTakenOn() {
    final int[] many = new int[400];
    java.util.Arrays.fill(many, 1);
    offer(batch(1, many));
    offer(batch(2, many));
    offer(batch(3, many));
    assertThat(recorder.events()).isEqualTo(SETTINGS.events());
    assertThat(recorder.offer(taken(batch(4, 2), 0))).isFalse();

    ledgers.next().classify(UsageVerdict.LEASED);

    assertThat(recorder.offer(taken(batch(4, 2), 0))).isTrue();
  }

  @Test
  void withoutLedgersEverythingIsHeldBack() {
    client = null;
    assertThat(recorder.offer(taken(batch(1, 1), 0))).isTrue();
    assertThat(heldBack).hasSize(1);
  }

  @Test
  void slowCommandsLeaveTheirPlacesToOthers() {
    offer(batch(1, 1, 2, 3, 4, 5, 6));
    assertThat(ledgers.sent).hasSize(SETTINGS.underWay());
    now += SETTINGS.slowNanos() + 1;
    recorder.work();
    assertThat(ledgers.sent).hasSize(6);
  }

  @Test
  void anAccountWhoseCommandsTakeLongIsStuckAllTheSame() {
    for (int i = 0; i < 4; i++) {
      offer(batch(i + 1, 1));
      now += 3 * SETTINGS.notAfterNanos();
      assertThat(recorder.stuck()).isZero();
      ledgers.next().isUnknown();
      now += SETTINGS.longestBackoffNanos();
    }
    assertThat(recorder.stuck()).isEqualTo(1);
  }

  @Test
  void aClockThatIsPutBackMakesNobodyWaitLongerThanTheLongestPause() {
    offer(batch(1, 1));
    ledgers.next().isUnknown();
    now -= 3_600 * SECOND;
    offer(batch(2, 1));
    assertThat(ledgers.sent).hasSize(1);
  }

  @Test
  void ledgersThatRefuseAtOnceAreAskedByOneCallAfterTheOther() {
    ledgers.closed = true;
    final int[] many = new int[1_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = i;
    }
    for (int i = 0; i < many.length; i += 500) {
      offer(batch(1 + i, java.util.Arrays.copyOfRange(many, i, i + 500)));
    }
    assertThat(heldBack).hasSize(1_000);
    assertThat(recorder.events()).isZero();
  }

  @Test
  void whatAnAccountThatFailsHasIsHeldBackAndItIsTriedAgainLater() {
    final List<TakenUsage> first = offer(batch(1, 1));
    final List<TakenUsage> behind = offer(batch(2, 1, 2));
    ledgers.next().isUnknown();

    assertThat(heldBack).containsExactlyInAnyOrder(first.get(0), behind.get(0));
    assertThat(failures).containsExactly("UNKNOWN");
    ledgers.next().classify(UsageVerdict.LEASED);
    assertThat(classified).containsOnlyKeys(behind.get(1));

    heldBack.clear();
    offer(batch(3, 1));
    assertThat(heldBack).as("too early").hasSize(1);
    assertThat(ledgers.sent).isEmpty();
    now += SETTINGS.firstBackoffNanos();
    offer(batch(4, 1));
    assertThat(ledgers.sent).hasSize(1);
    assertThat(recorder.events()).isEqualTo(1);
  }

  @Test
  void accountsThatFailedShareTheirPartOfWhatIsUnderWay() {
    offer(batch(1, 1, 2));
    ledgers.next().isUnknown();
    ledgers.next().isUnknown();
    now += SETTINGS.firstBackoffNanos();
    heldBack.clear();

    offer(batch(2, 1, 2));

    assertThat(ledgers.sent).hasSize(1);
    assertThat(heldBack).extracting(one -> one.delivery().account()).containsExactly(account(2));
    ledgers.next().classify(UsageVerdict.LEASED);
    offer(batch(3, 2));
    assertThat(ledgers.next().account()).isEqualTo(account(2));
  }

  @Test
  void anAccountIsStuckAfterSomeFailuresUntilItIsServedOrForgotten() {
    for (int i = 0; i < 4; i++) {
      assertThat(recorder.stuck()).isZero();
      offer(batch(i + 1, 1));
      ledgers.next().isUnknown();
      now += SETTINGS.longestBackoffNanos();
    }
    assertThat(recorder.stuck()).isEqualTo(1);
    offer(batch(9, 1));
    ledgers.next().classify(UsageVerdict.LEASED);
    assertThat(recorder.stuck()).isZero();
  }

  @Test
  void aSlowAccountKeepsNothingButWhatIsUnderWayOnceThereIsNoRoom() {
    final List<TakenUsage> sent = offer(batch(1, 1));
    final int[] many = new int[SETTINGS.events() / 3];
    java.util.Arrays.fill(many, 1);
    final List<TakenUsage> behind = new ArrayList<>(offer(batch(2, many)));
    now += SETTINGS.slowNanos() + 1;
    recorder.work();
    assertThat(heldBack).as("there is room").isEmpty();
    behind.addAll(offer(batch(3, many)));
    final UsageBatch last = batch(4, many);
    for (int i = 0; i < many.length - 1; i++) {
      behind.add(taken(last, i));
      assertThat(recorder.offer(taken(last, i))).isTrue();
    }
    final TakenUsage other = taken(batch(5, 2), 0);
    assertThat(recorder.offer(other)).isFalse();

    assertThat(recorder.offer(taken(batch(6, 1), 0))).as("it goes back at once").isTrue();
    recorder.work();
    assertThat(heldBack).hasSize(behind.size() + 1).containsAll(behind);
    assertThat(recorder.events()).isEqualTo(1);
    assertThat(recorder.offer(other)).isTrue();
    ledgers.next().classify(UsageVerdict.LEASED);
    assertThat(classified).containsOnlyKeys(sent.get(0));
  }

  @Test
  void aPoisonEventIsFoundByHalvingAndItsNeighboursGoOn() {
    final List<TakenUsage> all = offer(batch(1, 1, 1, 1, 1, 1, 2));
    final UsageEvent poison = all.get(3).delivery().event();

    while (!ledgers.sent.isEmpty()) {
      final Sent sent = ledgers.next();
      if (sent.events().contains(poison)) {
        sent.refuse(Refusal.BALANCE_OVERFLOW);
      } else {
        sent.classify(UsageVerdict.LEASED);
      }
    }

    assertThat(heldBack).containsExactly(all.get(3));
    assertThat(classified).hasSize(5).doesNotContainKey(all.get(3));
    assertThat(recorder.events()).isZero();
    assertThat(failures).containsExactly("BALANCE_OVERFLOW");
  }

  @ParameterizedTest
  @EnumSource(
      value = Refusal.class,
      names = {"EXPIRED", "UNKNOWN_ACCOUNT"})
  void aRefusalThatIsAboutTheCommandAndNotAboutItsEventsHoldsThemBack(Refusal reason) {
    final List<TakenUsage> all = offer(batch(1, 1, 1));
    ledgers.next().refuse(reason);
    assertThat(heldBack).isEqualTo(all);
    assertThat(failures).containsExactly(reason.name());
  }

  @Test
  void anAnswerAboutAnotherNumberOfEventsIsAFailure() {
    final List<TakenUsage> all = offer(batch(1, 1, 1));
    ledgers.next().answer(new Outcome.UsageRecorded(Collections.nCopies(3, UsageVerdict.LEASED)));
    assertThat(classified).isEmpty();
    assertThat(heldBack).isEqualTo(all);
  }
}
