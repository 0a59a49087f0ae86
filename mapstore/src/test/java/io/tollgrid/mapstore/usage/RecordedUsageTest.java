package io.tollgrid.mapstore.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.MeterUnits;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Witnesses R20: a duplicate that says something else than what is recorded is told apart. */
class RecordedUsageTest {
  private static final Duration AHEAD = Duration.ofDays(1);

  private static TestPostgres database;
  private static PostgresLedger ledger;
  private static RecordedUsage recorded;
  private static Id128 account;
  private static UsageEvent leased;
  private static UsageEvent unfunded;

  @BeforeAll
  static void record() throws SQLException {
    database = TestPostgres.migrated();
    ledger = PostgresLedger.over(database);
    ledger.takeOver();
    recorded = new RecordedUsage(ledger.sources().control(), AHEAD);
    final Commands commands = new Commands();
    final long now =
        database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    account = commands.nextId();
    ledger.submit(account, commands.create(), now);
    ledger.submit(account, commands.deposit(100), now);
    final Outcome.Granted lease =
        (Outcome.Granted) ledger.submit(account, commands.acquire(50), now);
    leased =
        with(
            commands.leased(lease.leaseId(), lease.fence(), 5, now),
            List.of(
                new MeterUnits("in", 1), new MeterUnits("out \"x\"", 2), new MeterUnits("in", 2)));
    unfunded = commands.event(new Funding.Unfunded(), 0, now);
    ledger.submit(account, commands.record(leased, unfunded), now);
  }

  @AfterAll
  static void close() throws SQLException {
    ledger.close();
    database.close();
  }

  @Test
  void anotherDeliveryOfTheSameIsTheSame() throws SQLException {
    assertThat(differing(leased, unfunded, leased.deliveredAs(new Id128(7, 7), 99))).isEmpty();
  }

  @Test
  void everyPartOfThePayloadIsCompared() throws SQLException {
    final UsageEvent e = leased;
    final Funding.Leased lease = (Funding.Leased) e.funding();
    final List<UsageEvent> others =
        List.of(
            event(e, LegRole.CAP, lease, 5, 1, e.keyId(), e.policyRevision(), e.occurredAtNanos()),
            event(
                e,
                e.role(),
                new Funding.Unfunded(),
                5,
                1,
                e.keyId(),
                e.policyRevision(),
                e.occurredAtNanos()),
            event(
                e,
                e.role(),
                new Funding.Leased(new Id128(1, 1), lease.fence()),
                5,
                1,
                e.keyId(),
                e.policyRevision(),
                e.occurredAtNanos()),
            event(
                e,
                e.role(),
                new Funding.Leased(lease.leaseId(), lease.fence() + 1),
                5,
                1,
                e.keyId(),
                e.policyRevision(),
                e.occurredAtNanos()),
            event(e, e.role(), lease, 5, 2, e.keyId(), e.policyRevision(), e.occurredAtNanos()),
            event(e, e.role(), lease, 5, 1, Id128.ZERO, e.policyRevision(), e.occurredAtNanos()),
            event(e, e.role(), lease, 5, 1, e.keyId(), Bits256.ZERO, e.occurredAtNanos()),
            event(
                e, e.role(), lease, 5, 1, e.keyId(), e.policyRevision(), e.occurredAtNanos() + 1));

    final List<UsageEvent> all = new ArrayList<>(others);
    all.add(with(leased, List.of(new MeterUnits("in", 2), new MeterUnits("out \"x\"", 3))));
    all.add(with(leased, List.of()));
    all.add(
        event(
            with(e, List.of()),
            e.role(),
            lease,
            4,
            1,
            e.keyId(),
            e.policyRevision(),
            e.occurredAtNanos()));
    all.add(e);

    assertThat(differing(all.toArray(UsageEvent[]::new)))
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void theOrderOfTheMetersIsNoPayload() throws SQLException {
    assertThat(
            differing(
                with(leased, List.of(new MeterUnits("out \"x\"", 2), new MeterUnits("in", 3)))))
        .isEmpty();
  }

  @Test
  void whatIsNotRecordedDiffers() throws SQLException {
    final List<UsageDelivery> foreign =
        List.of(new UsageDelivery(new Id128(5, 5), leased), new UsageDelivery(account, leased));

    assertThat(recorded.differing(foreign).stream()).containsExactly(0);
    assertThat(recorded.differing(List.of()).isEmpty()).isTrue();
  }

  @Test
  void manyAreComparedInOnePassAndNoMoreThanThat() throws SQLException {
    final List<UsageDelivery> most =
        Collections.nCopies(RecordedUsage.MAX_EVENTS, new UsageDelivery(account, leased));
    assertThat(recorded.differing(most).isEmpty()).isTrue();

    final List<UsageDelivery> more = new ArrayList<>(most);
    more.add(most.get(0));
    assertThatThrownBy(() -> recorded.differing(more)).isInstanceOf(IllegalArgumentException.class);
  }

  private static int[] differing(UsageEvent... events) throws SQLException {
    final List<UsageDelivery> deliveries = new ArrayList<>();
    for (final UsageEvent event : events) {
      deliveries.add(new UsageDelivery(account, event));
    }
    return recorded.differing(deliveries).stream().toArray();
  }

  private static UsageEvent with(UsageEvent e, List<MeterUnits> meters) {
    return new UsageEvent(
        e.requestId(),
        e.part(),
        e.role(),
        e.funding(),
        e.units(),
        e.requests(),
        meters,
        e.keyId(),
        e.policyRevision(),
        e.occurredAtNanos(),
        e.writer(),
        e.sequence());
  }

  private static UsageEvent event(
      UsageEvent e,
      LegRole role,
      Funding funding,
      long units,
      long requests,
      Id128 keyId,
      Bits256 policyRevision,
      long occurredAtNanos) {
    return new UsageEvent(
        e.requestId(),
        e.part(),
        role,
        funding,
        units,
        requests,
        e.meters(),
        keyId,
        policyRevision,
        occurredAtNanos,
        e.writer(),
        e.sequence());
  }
}
