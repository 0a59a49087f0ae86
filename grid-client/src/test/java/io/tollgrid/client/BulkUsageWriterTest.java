package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.client.ScriptedInbox.Visit;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R20 and R22 for usage that was recorded elsewhere: every event is answered once, slots
 * bound what has no answer, and credits what of it is in the inbox.
 */
@Timeout(30)
class BulkUsageWriterTest {
  private static final Id128 ACCOUNT = new Id128(0xACC, 1);
  private static final Duration SOON = Duration.ofSeconds(20);

  private final ScriptedInbox inbox = new ScriptedInbox();
  private final BulkUsageWriter writer =
      BulkUsageWriter.start(
          inbox,
          new SystemClock(),
          new TestIds(1),
          new UsageSettings(Duration.ofMillis(200).toNanos(), 4, 4, 1, 10));
  private final Queue<UsageVerdict> answers = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    writer.close();
  }

  private void write(int events) throws InterruptedException {
    write(ACCOUNT, events);
  }

  private void write(Id128 account, int events) throws InterruptedException {
    for (int i = 0; i < events; i++) {
      writer.write(account, event(i), answers::add);
    }
  }

  private static UsageEvent event(int number) {
    return new UsageEvent(
        Id128.timeOrdered(1_700_000_000_000L, 1, number),
        0,
        LegRole.BILLING,
        new Funding.Unfunded(),
        1,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        1,
        new Id128(9, 9),
        77);
  }

  private Visit visit() throws InterruptedException {
    while (inbox.waiting() == 0) {
      Thread.sleep(1);
    }
    return inbox.next();
  }

  @Test
  void eventsAreDeliveredByThisWriterAndAnsweredOnceEach() throws InterruptedException {
    write(4);
    final Visit left = visit();
    assertThat(left.batch().writer()).isEqualTo(writer.id());
    assertThat(left.events()).extracting(UsageEvent::sequence).containsExactly(1L, 2L, 3L, 4L);
    assertThat(left.events()).extracting(UsageEvent::writer).containsOnly(writer.id());
    left.knows(3, UsageVerdict.UNFUNDED);
    visit()
        .says(
            new VerdictsOf(4)
                .first(3, UsageVerdict.UNFUNDED)
                .at(3, UsageVerdict.REQUEST_ID_INVALID)
                .verdicts());

    assertThat(writer.flush(SOON)).isTrue();
    assertThat(answers)
        .containsExactly(
            UsageVerdict.UNFUNDED,
            UsageVerdict.UNFUNDED,
            UsageVerdict.UNFUNDED,
            UsageVerdict.REQUEST_ID_INVALID);
    assertThat(writer.counters().events(UsageVerdict.UNFUNDED)).isEqualTo(3);
    assertThat(writer.counters().refusedUnits()).isEqualTo(1);
  }

  @Test
  void whoeverWritesWaitsForASlot() throws InterruptedException {
    write(10);
    final Thread eleventh =
        new Thread(
            () -> {
              try {
                write(1);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    eleventh.start();
    final Visit first = visit();
    while (eleventh.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    assertThat(writer.open()).isEqualTo(10);

    first.knows(first.events().size(), UsageVerdict.UNFUNDED);

    eleventh.join(SOON.toMillis());
    assertThat(eleventh.isAlive()).isFalse();
  }

  @Test
  void whatTheInboxHasNoRoomForIsGatheredByAccount() throws InterruptedException {
    final Id128 other = new Id128(0xACC, 2);
    write(ACCOUNT, 4);
    final Visit first = visit();
    write(ACCOUNT, 1);
    write(other, 1);
    write(ACCOUNT, 1);
    write(other, 2);
    assertThat(inbox.waiting()).isZero();

    first.knows(4, UsageVerdict.UNFUNDED);

    assertThat(visit().batch().deliveries())
        .extracting(UsageDelivery::account)
        .containsExactly(ACCOUNT, ACCOUNT, other, other);
  }

  @Test
  void whoeverFailsWhenItIsToldTakesNobodyWithIt() throws InterruptedException {
    writer.write(
        ACCOUNT,
        event(0),
        verdict -> {
          throw new IllegalStateException("made to fail");
        });
    write(3);
    visit().knows(4, UsageVerdict.UNFUNDED);
    assertThat(writer.flush(SOON)).isTrue();
    assertThat(answers).hasSize(3);
  }

  /**
   * A late message may bring a batch back as it was left, when its classifications went with a
   * member.
   */
  @Test
  void whatAnOlderCopyHasForgottenIsNotToldAgain() throws InterruptedException {
    write(4);
    visit().knows(3, UsageVerdict.UNFUNDED);
    visit().knows(0, UsageVerdict.UNFUNDED);
    visit()
        .says(
            new VerdictsOf(4)
                .first(3, UsageVerdict.UNFUNDED)
                .at(3, UsageVerdict.STRAGGLER)
                .verdicts());

    assertThat(writer.flush(SOON)).isTrue();
    assertThat(answers)
        .containsExactly(
            UsageVerdict.UNFUNDED,
            UsageVerdict.UNFUNDED,
            UsageVerdict.UNFUNDED,
            UsageVerdict.STRAGGLER);
    assertThat(writer.open()).isZero();
  }

  @Test
  void whatHasNoAnswerIsNotFlushed() throws InterruptedException {
    write(1);
    assertThat(writer.flush(Duration.ofMillis(20))).isFalse();
    assertThat(writer.open()).isEqualTo(1);
  }

  @Test
  void aWriterThatWasClosedTakesNothing() {
    writer.close();
    assertThatThrownBy(() -> write(1)).isInstanceOf(IllegalStateException.class);
  }
}
