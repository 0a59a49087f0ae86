package io.tollgrid.pipelines;

import static io.tollgrid.pipelines.testing.ScriptedBooks.account;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.verify.AccountRange;
import io.tollgrid.mapstore.verify.Finding;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.pipelines.maintenance.Reconciliation;
import io.tollgrid.pipelines.maintenance.ReconciliationSettings;
import io.tollgrid.pipelines.testing.ManualClock;
import io.tollgrid.pipelines.testing.ScriptedBooks;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R54 and R40: accounts are compared page by page by one member, nothing holds a pass up
 * for ever, what was found stands until it is compared again, and a pass that does not end is told.
 */
class ReconciliationTest {
  private static final Duration REST = Duration.ofSeconds(20);
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Duration LATE = Duration.ofMinutes(10);

  private final ManualClock clock = new ManualClock();
  private final ScriptedBooks books = new ScriptedBooks();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private boolean ours = true;
  private final Reconciliation reconciliation =
      new Reconciliation(
          books,
          () -> ours,
          clock,
          new ReconciliationSettings(4, 1, REST.toNanos(), INTERVAL.toNanos(), LATE.toNanos()),
          registry);

  @Test
  void aPassGoesThroughAllAccountsInPagesAndTheNextBeginsAfterAPause() throws SQLException {
    books.open(9);

    passes(3);
    assertThat(books.ranges)
        .containsExactly(
            new AccountRange(Id128.ZERO, account(4)),
            new AccountRange(account(5), account(8)),
            new AccountRange(account(9), AccountRange.ALL.last()));
    assertThat(count("passes", "whole")).isEqualTo(1);
    assertThat(count("accounts", "compared")).isEqualTo(9);

    clock.pass(INTERVAL.minusNanos(1));
    reconciliation.pass();
    assertThat(books.ranges).hasSize(3);
    clock.pass(Duration.ofNanos(1));
    reconciliation.pass();
    assertThat(books.ranges).hasSize(4).last().isEqualTo(books.ranges.get(0));
  }

  @Test
  void itRestsNineTimesAsLongAsAPageTookWithinABound() throws SQLException {
    books.open(13);
    final AtomicReference<Duration> takes = new AtomicReference<>(Duration.ofSeconds(2));
    final Reconciliation slow =
        new Reconciliation(
            new Reconciliation.Books() {
              @Override
              public AccountRange next(Id128 first, int accounts) {
                return books.next(first, accounts);
              }

              @Override
              public LedgerVerification.Report compare(AccountRange range) throws SQLException {
                clock.pass(takes.get());
                return books.compare(range);
              }
            },
            () -> true,
            clock,
            new ReconciliationSettings(4, 1, REST.toNanos(), INTERVAL.toNanos(), LATE.toNanos()),
            new SimpleMeterRegistry());

    slow.pass();
    clock.pass(Duration.ofSeconds(18).minusNanos(1));
    slow.pass();
    assertThat(books.ranges).hasSize(1);
    clock.pass(Duration.ofNanos(1));
    takes.set(Duration.ofSeconds(3));
    slow.pass();
    assertThat(books.ranges).hasSize(2);
    clock.pass(REST.minusNanos(1));
    slow.pass();
    assertThat(books.ranges).hasSize(2);
    clock.pass(Duration.ofNanos(1));
    slow.pass();
    assertThat(books.ranges).hasSize(3);
  }

  @Test
  void aFindingStandsUntilItsAccountAgreesAgain() throws SQLException {
    books.open(9);
    books.spoil(2, "five too many");
    books.spoil(7, "one too few");
    passes(3);
    assertThat(reconciliation.findings())
        .extracting(Finding::account)
        .containsExactly(account(2), account(7));
    assertThat(counted("found")).isEqualTo(2);

    books.heal();
    books.spoil(7, "now two too few");
    clock.pass(INTERVAL);
    reconciliation.pass();
    assertThat(reconciliation.findings()).extracting(Finding::account).containsExactly(account(7));
    reconciliation.pass();
    assertThat(reconciliation.findings())
        .containsExactly(new Finding(account(7), "leases", "now two too few"));
    assertThat(counted("found")).as("the same finding is counted once").isEqualTo(2);

    books.heal();
    reconciliation.pass();
    clock.pass(INTERVAL);
    passes(2);
    assertThat(reconciliation.findings()).isEmpty();
  }

  @Test
  void anAccountThatTakesTooLongIsPassedOverAndThePassIsNotWhole() throws SQLException {
    books.open(9);
    books.holdUp(6);

    passes(12);

    assertThat(books.ranges).contains(new AccountRange(account(6), account(6)));
    assertThat(books.ranges.get(books.ranges.size() - 1).endsAll()).isTrue();
    assertThat(count("accounts", "compared")).isEqualTo(8);
    assertThat(count("accounts", "passed-over")).isEqualTo(1);
    assertThat(count("passes", "whole")).isZero();
    assertThat(count("passes", "partial")).isEqualTo(1);
    clock.pass(LATE);
    assertThat(reconciliation.isLate()).isFalse();
    clock.pass(Duration.ofNanos(1));
    assertThat(reconciliation.isLate()).isTrue();

    books.heal();
    passes(3);
    assertThat(count("passes", "whole")).isEqualTo(1);
    assertThat(reconciliation.isLate()).isFalse();
  }

  @Test
  void aPageThatCannotBeReadIsTriedAgain() throws SQLException {
    books.open(9);
    reconciliation.pass();
    books.goAway();
    assertThatThrownBy(reconciliation::pass).isInstanceOf(SQLException.class);
    assertThatThrownBy(reconciliation::pass).isInstanceOf(SQLException.class);

    books.heal();
    reconciliation.pass();

    assertThat(books.ranges.subList(1, 4))
        .containsOnly(new AccountRange(account(5), account(8)))
        .hasSize(3);
    assertThat(count("pages", "failed")).isEqualTo(2);
  }

  @Test
  void whoseTurnItIsNotComparesNothingAndKnowsNothing() throws SQLException {
    books.open(9);
    books.spoil(2, "five too many");
    reconciliation.pass();
    assertThat(reconciliation.findings()).isNotEmpty();

    ours = false;
    reconciliation.pass();
    clock.pass(LATE.plusNanos(1));
    assertThat(books.ranges).hasSize(1);
    assertThat(reconciliation.findings()).isEmpty();
    assertThat(reconciliation.isLate()).isFalse();

    ours = true;
    reconciliation.pass();
    assertThat(books.ranges.get(1)).isEqualTo(books.ranges.get(0));
    assertThat(reconciliation.isLate()).isFalse();
  }

  private void passes(int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      reconciliation.pass();
    }
  }

  private double count(String what, String result) {
    return registry.get("tollgrid.reconciliation." + what).tag("result", result).counter().count();
  }

  private double counted(String what) {
    return registry.get("tollgrid.reconciliation." + what).counter().count();
  }
}
