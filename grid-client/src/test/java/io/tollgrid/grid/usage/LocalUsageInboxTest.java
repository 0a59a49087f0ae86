package io.tollgrid.grid.usage;

import static io.tollgrid.grid.usage.Deliveries.batch;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.UsageVerdict;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Witnesses R20 and R22 for usage that needs no grid. */
class LocalUsageInboxTest {
  private final ScriptedRecords ledgers = new ScriptedRecords();
  private long now = 1_700_000_000_000_000_000L;
  private final LocalUsageInbox inbox = new LocalUsageInbox(ledgers, () -> now);

  @Test
  void aBatchThatIsLeftAgainIsTheOneThatIsThere() {
    final UsageBatch batch = batch(1, 1, 2);
    inbox.leave(batch);
    inbox.leave(batch);
    assertThat(ledgers.sent).hasSize(2);
  }

  @Test
  void aQuestionIsAnsweredWhenMoreIsKnown() {
    final UsageBatch batch = batch(1, 1, 2);
    inbox.leave(batch);
    final CompletableFuture<Optional<UsageVerdicts>> asked =
        inbox.ask(batch, 0).toCompletableFuture();
    assertThat(asked).isNotDone();

    ledgers.next().classify(UsageVerdict.LEASED);

    final UsageVerdicts known = asked.join().orElseThrow();
    assertThat(known.known()).isEqualTo(1);
    assertThat(known.get(0)).isEqualTo(UsageVerdict.LEASED);
    assertThat(known.get(1)).isNull();
    ledgers.next().classify(UsageVerdict.OVERAGE);
    assertThat(inbox.ask(batch, 1).toCompletableFuture().join().orElseThrow().isComplete())
        .isTrue();
  }

  @Test
  void whatIsHeldBackIsToldAtOnceAndTriedWithTheNextQuestion() {
    final UsageBatch batch = batch(1, 1);
    inbox.leave(batch);
    final CompletableFuture<Optional<UsageVerdicts>> asked =
        inbox.ask(batch, 0).toCompletableFuture();
    ledgers.next().isUnknown();
    assertThat(asked.join().orElseThrow().known()).isZero();

    now += RecorderSettings.DEFAULTS.firstBackoffNanos();
    inbox.ask(batch, 0);
    ledgers.next().classify(UsageVerdict.LEASED);
    assertThat(inbox.ask(batch, 0).toCompletableFuture().join().orElseThrow().isComplete())
        .isTrue();
  }

  @Test
  void whatIsForgottenIsNotThere() {
    final UsageBatch batch = batch(1, 1);
    assertThat(inbox.ask(batch, 0).toCompletableFuture().join()).isEmpty();
    inbox.leave(batch);
    inbox.forget(batch);
    assertThat(inbox.ask(batch, 0).toCompletableFuture().join()).isEmpty();
    ledgers.next().classify(UsageVerdict.LEASED);
  }
}
