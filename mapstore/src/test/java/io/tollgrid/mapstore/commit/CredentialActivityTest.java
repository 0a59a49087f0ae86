package io.tollgrid.mapstore.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.mapstore.policy.CredentialRegister;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.Gate;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R24: activity follows newly accepted events, in their transaction, and nothing else.
 */
@Timeout(60)
class CredentialActivityTest {
  private static final Commands COMMANDS = new Commands();
  private static final long SECOND = 1_000_000_000L;

  private static TestPostgres database;
  private static PostgresLedger ledger;
  private static CredentialRegister register;
  private static long now;

  private final Id128 account = COMMANDS.nextId();
  private final Id128 key = COMMANDS.nextId();
  private Outcome.Granted lease;

  @BeforeAll
  static void open() throws SQLException {
    database = TestPostgres.migrated();
    now = database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    // One lane, so that the rows of one are raised again and again.
    ledger =
        PostgresLedger.over(
            database, CommitterSettings.DEFAULTS.withLanes(1), CommitFaults.NONE, Defects.NONE);
    ledger.takeOver();
    register = new CredentialRegister(ledger.sources().control(), () -> now);
  }

  @AfterAll
  static void close() {
    ledger.close();
    database.close();
  }

  @BeforeEach
  void fund() {
    ledger.submit(account, COMMANDS.create(), now);
    ledger.submit(account, COMMANDS.deposit(100), now);
    lease = (Outcome.Granted) ledger.submit(account, COMMANDS.acquire(50), now);
  }

  @Test
  void theLatestAcceptedUseCountsInWhateverOrderEventsCome() throws SQLException {
    assertThat(register.lastUsedMicros(key)).isEmpty();

    record(used(now - 5 * SECOND, 1), used(now - 2 * SECOND, 1), used(now - 9 * SECOND, 1));
    assertThat(register.lastUsedMicros(key)).hasValue((now - 2 * SECOND) / 1_000);
    record(used(now - 7 * SECOND, 1));
    assertThat(register.lastUsedMicros(key)).hasValue((now - 2 * SECOND) / 1_000);
    record(used(now - SECOND - 1, 1));
    assertThat(register.lastUsedMicros(key)).hasValue((now - SECOND) / 1_000 - 1);
  }

  @Test
  void aUseIsNoLaterThanItsRecording() throws SQLException {
    record(used(Long.MAX_VALUE, 1));

    assertThat(register.lastUsedMicros(key).orElseThrow())
        .isBetween(now / 1_000, now / 1_000 + 60_000_000);
  }

  @Test
  void whatIsRejectedOrWasRecordedBeforeIsNoUse() throws SQLException {
    final UsageEvent first = used(now - 5 * SECOND, 1);
    record(first);
    final UsageEvent again =
        new UsageEvent(
            first.requestId(),
            first.part(),
            first.role(),
            first.funding(),
            first.units(),
            first.requests(),
            first.meters(),
            key,
            first.policyRevision(),
            now,
            new Id128(0x3417E4, 2),
            1);

    assertThat(record(again, used(now, 1_000)))
        .containsExactly(UsageVerdict.DUPLICATE, UsageVerdict.BEYOND_LEASE);

    assertThat(register.lastUsedMicros(key)).hasValue((now - 5 * SECOND) / 1_000);
  }

  @Test
  void anEventThatNamesNoCredentialIsBilledAndCounted() throws SQLException {
    final double before = unattributable();

    assertThat(record(used(Id128.ZERO, now, 3), used(now, 4)))
        .containsExactly(UsageVerdict.LEASED, UsageVerdict.LEASED);

    assertThat(unattributable() - before).isEqualTo(1);
    assertThat(register.lastUsedMicros(Id128.ZERO)).isEmpty();
    assertThat(ledger.ledger(account).balances().billed()).isEqualTo(7);
  }

  /** Every lane, in batches of many accounts: neither waits for the other's rows. */
  @Test
  void oneCredentialOfManyAccountsIsRaisedByAllLanes() throws Exception {
    final Gate gate = new Gate();
    try (PostgresLedger lanes =
        PostgresLedger.over(
            database, CommitterSettings.DEFAULTS.withLanes(2), gate, Defects.NONE)) {
      lanes.takeOver();
      final List<Id128> accounts = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        final Id128 one = COMMANDS.nextId();
        accounts.add(one);
        lanes.submit(one, COMMANDS.create(), now);
      }
      // Both have raised their rows and neither has committed.
      gate.closeForCommits();
      final List<CompletableFuture<CommitOutcome>> commits = new ArrayList<>();
      for (final Id128 one : accounts) {
        final LedgerCommand unfunded =
            COMMANDS.record(used(key, new Funding.Unfunded(), now - commits.size() * SECOND, 1));
        final var transition = lanes.transition(one, unfunded, now);
        commits.add(CompletableFuture.supplyAsync(() -> lanes.committer().commit(transition)));
        gate.awaitHeld(commits.size());
      }
      gate.open();
      for (final CompletableFuture<CommitOutcome> commit : commits) {
        assertThat(commit.get()).isEqualTo(new CommitOutcome.Judged(Verdict.COMMIT));
      }
    } finally {
      ledger.takeOver();
    }
    assertThat(register.lastUsedMicros(key)).hasValue(now / 1_000);
    assertThat(
            database.number(
                "SELECT count(*) FROM credential_activity WHERE key_id = '" + key.toUuid() + "'"))
        .isEqualTo(2);
  }

  private List<UsageVerdict> record(UsageEvent... events) {
    return ((Outcome.UsageRecorded) ledger.submit(account, COMMANDS.record(events), now))
        .verdicts();
  }

  private UsageEvent used(long atNanos, long units) {
    return used(key, atNanos, units);
  }

  private UsageEvent used(Id128 by, long atNanos, long units) {
    return used(by, new Funding.Leased(lease.leaseId(), lease.fence()), atNanos, units);
  }

  private static UsageEvent used(Id128 by, Funding funding, long atNanos, long units) {
    final UsageEvent event = COMMANDS.event(funding, units, now);
    return new UsageEvent(
        event.requestId(),
        event.part(),
        event.role(),
        event.funding(),
        event.units(),
        event.requests(),
        event.meters(),
        by,
        event.policyRevision(),
        atNanos,
        event.writer(),
        event.sequence());
  }

  private static double unattributable() {
    return ledger.registry().get("tollgrid.usage.unattributable").counter().count();
  }
}
