package io.tollgrid.mapstore.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R16 and R20 at the rows: each kind of row is fetched as it was written, so that an
 * answer resting on it is confirmed, and an absent one is told as absent.
 */
@Timeout(60)
class PostgresLedgerRowsTest {
  private final Commands commands = new Commands();
  private TestPostgres database;
  private PostgresLedger ledger;
  private long now;
  private Id128 account;

  @BeforeEach
  void start() throws SQLException {
    database = TestPostgres.migrated();
    now = database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    ledger = PostgresLedger.over(database);
    ledger.takeOver();
    account = commands.nextId();
    ledger.submit(account, commands.create(AccountTerms.elastic(50)), now);
    ledger.submit(account, commands.deposit(100), now);
  }

  @AfterEach
  void stop() {
    ledger.close();
    database.close();
  }

  @Test
  void everyKindOfRowIsFetchedAsItWasWritten() {
    final LedgerCommand.Deposit deposit = commands.deposit(7);
    final Outcome funded = ledger.submit(account, deposit, now);
    final Outcome.Granted granted =
        (Outcome.Granted) ledger.submit(account, commands.acquire(10), now);
    final UsageEvent billed = commands.leased(granted.leaseId(), granted.fence(), 4, now);
    final UsageEvent overage = commands.event(new Funding.Overage(), 3, now);
    final UsageEvent unfunded = commands.event(new Funding.Unfunded(), 2, now);
    final UsageEvent bogus = commands.leased(commands.nextId(), 99, 1, now);
    ledger.submit(account, commands.record(billed, overage, unfunded, bogus), now);
    ledger.submit(
        account,
        new LedgerCommand.Credit(commands.nextId(), billed.requestId(), billed.part(), 1),
        now);
    final RowKey lease = new RowKey.LeaseKey(granted.leaseId());
    final RowKey command = new RowKey.CommandKey(deposit.commandId());
    final RowKey part = new RowKey.UsageKey(billed.requestId(), 0);
    final RowKey rejected = new RowKey.DeliveryKey(bogus.writer(), bogus.sequence());
    final RowKey nothing = new RowKey.LeaseKey(commands.nextId());

    final var rows = ledger.rows().fetch(account, Set.of(lease, command, part, rejected, nothing));

    assertThat(rows.get(lease))
        .contains(new StoredRow.LeaseRow(ledger.ledger(account).active().get(0)));
    assertThat(rows.get(command))
        .get()
        .isInstanceOfSatisfying(
            StoredRow.CommandRow.class, row -> assertThat(row.outcome()).isEqualTo(funded));
    assertThat(rows.get(part))
        .contains(
            new StoredRow.UsageRow(UsageVerdict.LEASED, 4, billed.writer(), billed.sequence(), 1));
    assertThat(rows.get(rejected)).contains(new StoredRow.RejectedRow(UsageVerdict.NO_SUCH_LEASE));
    assertThat(rows.get(nothing)).isEqualTo(Optional.empty());
    assertThat(ledger.rows().fetch(commands.nextId(), Set.of(lease)))
        .containsEntry(lease, Optional.empty());
    assertThat(ledger.rows().fetch(account, Set.of())).isEmpty();
  }

  @Test
  void aRetryAfterAReloadIsAnsweredFromItsRow() {
    final LedgerCommand.Acquire acquire = commands.acquire(10);
    final Outcome.Granted first = (Outcome.Granted) ledger.submit(account, acquire, now);
    ledger.submit(account, new LedgerCommand.Release(first.leaseId(), first.fence(), 1, 10), now);
    ledger.forget(account);

    assertThat(ledger.submit(account, acquire, now))
        .isInstanceOfSatisfying(
            Outcome.Granted.class,
            again -> {
              assertThat(again.fence()).isEqualTo(first.fence());
              assertThat(again.units()).isEqualTo(first.units());
            });
    assertThat(ledger.ledger(account).nextFence()).isEqualTo(2);
  }

  @Test
  void anImpossibleRowIsCorrupt() throws SQLException {
    final LedgerCommand.Deposit deposit = commands.deposit(7);
    ledger.submit(account, deposit, now);
    database.execute("UPDATE command SET outcome = '\\xffff'");

    assertThatThrownBy(
            () -> ledger.rows().fetch(account, Set.of(new RowKey.CommandKey(deposit.commandId()))))
        .isInstanceOfSatisfying(
            LedgerCodeException.class, e -> assertThat(e.code()).isEqualTo(LedgerCode.CORRUPT));
    // At the committer likewise, for this account alone.
    assertThatThrownBy(() -> ledger.submit(account, deposit, now))
        .isInstanceOfSatisfying(
            LedgerCodeException.class, e -> assertThat(e.code()).isEqualTo(LedgerCode.CORRUPT));
  }
}
