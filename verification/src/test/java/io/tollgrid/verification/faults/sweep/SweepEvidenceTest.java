package io.tollgrid.verification.faults.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.mapstore.testing.TestPostgres;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.verification.faults.check.Violation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses, on a real PostgreSQL, that accounts are founded as the product would have left them,
 * that the lanes' evidence is all that is stored of them, and that a row which somebody altered is
 * found (R12, R14, R19).
 *
 * <p>The lanes themselves, at the sizes that count, are {@code ./tollgrid faults --sweeps}.
 */
@Tag("slow")
class SweepEvidenceTest {
  private static final LedgerLimits LIMITS = LedgerLimits.DEFAULTS;
  private static final int PAGE = 100;

  private final long midnight =
      TimeUnit.SECONDS.toNanos(Instant.now().getEpochSecond()) - TimeUnit.HOURS.toNanos(2);
  private final Founding founding = new Founding(5, LIMITS);
  private final List<AccountLedger> before = new ArrayList<>();
  private TestPostgres database;
  private LedgerDataSources sources;

  @BeforeEach
  void open() throws SQLException {
    database = TestPostgres.migrated();
    // Else the database itself would refuse what is falsified here.
    database.execute(
        "ALTER TABLE lease DISABLE TRIGGER lease_sums_agree",
        "ALTER TABLE account DISABLE TRIGGER account_lease_sums_agree");
    sources = database.dataSources();
  }

  @AfterEach
  void close() {
    sources.close();
    database.close();
  }

  @Test
  void crossingsAreReadAsTheyAreStored() throws SQLException {
    write(crossed());

    assertThat(new LedgerVerification(sources.control()).run(LIMITS).findings()).isEmpty();
    assertThat(crossings()).isEmpty();
    falsify("UPDATE account SET period_number = period_number + 1 WHERE id = '%s'");
    falsify("UPDATE account SET period_end = period_end + 1 WHERE id = '%s'");
    falsify("UPDATE deposit SET units = units + 1 WHERE account = '%s'");
    falsify("UPDATE journal SET expired = expired - 1 WHERE account = '%s'");
    falsify("UPDATE journal SET period_number = 1 WHERE account = '%s'");
    falsify(
        "INSERT INTO deposit (account, version, source, units)"
            + " SELECT account, max(version) + 1, 1, 5 FROM journal WHERE account = '%s'"
            + " GROUP BY account");
    falsify(
        "INSERT INTO journal SELECT (jsonb_populate_record(j, jsonb_build_object('version',"
            + " version + 1, 'period_number', period_number + 1))).* FROM journal j"
            + " WHERE account = '%s' ORDER BY version DESC LIMIT 1");
  }

  @Test
  void reclaimsAreReadAsTheyAreStored() throws SQLException {
    final List<SeededAccount> accounts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      final SeededAccount account = founding.expired(midnight, i == 0 ? 300 : 5);
      before.add(account.ledger());
      while (!account.ledger().active().isEmpty()) {
        account.ask(
            new LedgerCommand.Reclaim(Long.MAX_VALUE), midnight + TimeUnit.HOURS.toNanos(1));
      }
      accounts.add(account);
    }
    write(accounts);

    assertThat(new LedgerVerification(sources.control()).run(LIMITS).findings()).isEmpty();
    assertThat(reclaims()).isEmpty();
    final String first = before.get(0).id().toUuid().toString();
    database.execute(
        "UPDATE lease SET loss = loss - 1, billed = billed + 1 WHERE account = '"
            + first
            + "' AND fence = 1");
    assertThat(reclaims()).isNotEmpty();
    database.execute(
        "UPDATE lease SET loss = loss + 1, billed = billed - 1 WHERE account = '"
            + first
            + "' AND fence = 1");
    assertThat(reclaims()).isEmpty();
    database.execute(
        "DELETE FROM journal WHERE account = '"
            + first
            + "' AND version = (SELECT max(version) FROM journal WHERE account = '"
            + first
            + "')");
    assertThat(reclaims()).isNotEmpty();
  }

  @Test
  void aPageThatReadsMoreThanItsRowsIsFound() throws SQLException {
    try (Connection connection = sources.control().getConnection()) {
      PlanLane.found(connection, 3 * PAGE, 20 * PAGE);
    }
    database.execute("ANALYZE account, lease");
    final PageReads reads = new PageReads(sources.sweeps());

    for (final PageReads.Page page : PageReads.Page.values()) {
      assertThat(check(reads, page)).isEmpty();
      assertThat(PageReads.check("later", reads.cost(page, Long.MAX_VALUE, behind(), PAGE), PAGE))
          .isEmpty();
      assertThat(PageReads.check("empty", reads.cost(page, 0, DueCursor.START, PAGE), PAGE))
          .isNotEmpty();
    }
    database.execute("DROP INDEX lease_due", "DROP INDEX account_due");
    for (final PageReads.Page page : PageReads.Page.values()) {
      assertThat(check(reads, page))
          .isNotEmpty()
          .allMatch(found -> found.kind() == Violation.Kind.READS_TOO_MUCH);
    }
    assertThat(
            PageReads.check(
                "dear", new PageReads.Cost(PAGE, 20 * PAGE + 1, List.of("Index Scan")), PAGE))
        .hasSize(1);
  }

  private static List<Violation> check(PageReads reads, PageReads.Page page) throws SQLException {
    return PageReads.check("first", reads.cost(page, Long.MAX_VALUE, DueCursor.START, PAGE), PAGE);
  }

  private static DueCursor behind() {
    return new DueCursor(
        2_000_000_000L + 5 * PAGE, DueCursor.START.account(), DueCursor.START.lease());
  }

  private List<SeededAccount> crossed() {
    final List<SeededAccount> accounts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      final SeededAccount account =
          i % 4 == 3 ? founding.idleBefore(midnight) : founding.dueAt(midnight);
      if (i % 4 == 1) {
        founding.leased(account, midnight - 1);
      }
      accounts.add(account);
    }
    for (int calendar = 0; calendar < Founding.calendars(); calendar++) {
      accounts.add(founding.idleSince(calendar));
    }
    for (final SeededAccount account : accounts) {
      before.add(account.ledger());
      account.ask(new LedgerCommand.Cross(), midnight + 1);
    }
    return accounts;
  }

  private void write(List<SeededAccount> accounts) throws SQLException {
    try (Connection connection = sources.control().getConnection();
        Seeding seeding = new Seeding(connection, midnight + TimeUnit.HOURS.toNanos(1))) {
      for (final SeededAccount account : accounts) {
        seeding.add(account);
      }
      seeding.flush();
      connection.commit();
    }
  }

  /** Alters rows of another account each time: its crossing must not pass any more. */
  private void falsify(String sql) throws SQLException {
    final AccountLedger victim = before.remove(before.size() - 1);
    database.execute(sql.replace("%s", victim.id().toUuid().toString()));

    final RolloverCheck check = new RolloverCheck();
    assertThat(evidence().crossed(List.of(victim)))
        .singleElement()
        .satisfies(account -> assertThat(check.check(account)).as(sql).isNotEmpty());
    assertThat(crossings()).isEmpty();
  }

  private List<Violation> crossings() throws SQLException {
    final RolloverCheck check = new RolloverCheck();
    final List<CrossedAccount> accounts = evidence().crossed(before);
    assertThat(accounts).hasSameSizeAs(before);
    return accounts.stream().flatMap(account -> check.check(account).stream()).toList();
  }

  private List<Violation> reclaims() throws SQLException {
    final List<ReclaimedAccount> accounts = evidence().reclaimed(before, account -> false);
    assertThat(accounts).hasSameSizeAs(before);
    return new ReclaimCheck(LIMITS.maxReclaimed(), before.size()).check(accounts);
  }

  private SweepEvidence evidence() {
    return new SweepEvidence(sources.control());
  }
}
