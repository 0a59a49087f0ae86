package io.tollgrid.verification.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.usage.UsageBatch;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each bug is there and is no larger than it says: what it leaves alone goes through as it is. */
@Timeout(20)
class PlantedInstanceTest {
  private static final Id128 ACCOUNT = new Id128(1, 2);
  private static final Id128 LEASE = new Id128(3, 4);

  @Test
  void aConsolidationWithoutAnAnswerIsRefusedAndAnythingElseWaits() throws Exception {
    final LedgerClient silent = new Silent();
    final HastyLedgerClient hasty = new HastyLedgerClient(silent, new SystemClock());

    final CompletableFuture<LedgerAnswer> consolidated =
        hasty.submit(request(consolidate())).toCompletableFuture();
    final CompletableFuture<LedgerAnswer> renewed =
        hasty.submit(request(new LedgerCommand.Renew(LEASE, 1, 1, 1))).toCompletableFuture();

    assertThat(consolidated.get(10, TimeUnit.SECONDS).outcome())
        .isInstanceOf(Outcome.Refused.class);
    assertThat(renewed).isNotDone();
  }

  @Test
  void allWritersAreOneAndTheirEventsAreOtherwiseAsTheyWere() {
    final List<UsageBatch> left = new ArrayList<>();
    final SharedWriterInbox inbox = new SharedWriterInbox(new Keeping(left));

    inbox.leave(batch(new Id128(5, 5)));
    inbox.leave(batch(new Id128(6, 6)));

    assertThat(left.get(0).key()).isEqualTo(left.get(1).key());
    assertThat(left.get(0).deliveries().get(0).event())
        .usingRecursiveComparison()
        .ignoringFields("writer")
        .isEqualTo(batch(new Id128(5, 5)).deliveries().get(0).event());
  }

  private static LedgerRequest request(LedgerCommand command) {
    return new LedgerRequest(ACCOUNT, "test", Long.MAX_VALUE, command);
  }

  private static LedgerCommand consolidate() {
    return new LedgerCommand.Consolidate(
        new Id128(7, 7), new Id128(8, 8), LEASE, 1, 10, GrantPolicy.of(1, 10), 1, 5);
  }

  private static UsageBatch batch(Id128 writer) {
    final UsageEvent event =
        new UsageEvent(
            Id128.timeOrdered(1, 2, 3),
            0,
            LegRole.BILLING,
            new Funding.Leased(LEASE, 1),
            9,
            1,
            List.of(),
            Id128.ZERO,
            Bits256.ZERO,
            1,
            writer,
            1);
    return new UsageBatch(writer, 1, List.of(new UsageDelivery(ACCOUNT, event)));
  }

  /** Ledgers that never answer. */
  private static final class Silent implements LedgerClient {
    @Override
    public CompletionStage<LedgerAnswer> submit(Id128 account, LedgerCommand command) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<LedgerAnswer> submit(LedgerRequest request) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<Optional<Recall>> recall(Id128 account) {
      return new CompletableFuture<>();
    }

    @Override
    public void close() {}
  }

  private record Keeping(List<UsageBatch> left) implements UsageInbox {
    @Override
    public CompletionStage<UsageVerdicts> leave(UsageBatch batch) {
      left.add(batch);
      return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<Optional<UsageVerdicts>> ask(UsageBatch batch, int known) {
      return new CompletableFuture<>();
    }

    @Override
    public void forget(UsageBatch batch) {}

    @Override
    public void close() {}
  }
}
