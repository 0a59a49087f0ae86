package io.tollgrid.verification.faults.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.verification.faults.check.Violation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Witnesses that no reclaim which is not exact, bounded and in order passes the check of the
 * reclaim lane, and no straggler that does other than turn loss into billed units (R12, R19).
 */
class ReclaimCheckTest {
  private static final long FIRST = TimeUnit.SECONDS.toNanos(1_796_083_200);
  private static final int LEASES = 7;
  private static final int WINDOW = 2;

  /** What the ledger itself makes of expired leases, one account after the other. */
  private static List<ReclaimedAccount> honest(int accounts) {
    final Founding founding = new Founding(3, LedgerLimits.DEFAULTS);
    final List<ReclaimedAccount> honest = new ArrayList<>();
    for (int i = 0; i < accounts; i++) {
      honest.add(honest(founding.expired(FIRST + i, LEASES), FIRST + 1_000 + i));
    }
    return honest;
  }

  private static ReclaimedAccount honest(SeededAccount account, long recordedAt) {
    final AccountLedger before = account.ledger();
    final long late = FIRST + TimeUnit.HOURS.toNanos(1);
    final Outcome.Reclaimed reclaimed =
        (Outcome.Reclaimed) account.ask(new LedgerCommand.Reclaim(late), late);
    final Map<Id128, ReclaimedAccount.StoredLease> leases = new HashMap<>();
    account
        .ledger()
        .losses()
        .forEach(
            lease ->
                leases.put(
                    lease.id(),
                    new ReclaimedAccount.StoredLease(
                        lease.state(),
                        lease.returned(),
                        lease.billed(),
                        lease.loss(),
                        lease.endedAtNanos())));
    final var books = account.ledger().balances();
    return new ReclaimedAccount(
        before,
        List.of(
            new ReclaimedAccount.Reclaim(recordedAt, reclaimed.leases(), reclaimed.lossUnits())),
        leases,
        new ReclaimedAccount.Books(
            books.balance(), books.outstanding(), books.billed(), books.loss()),
        false);
  }

  private static List<Violation> check(List<ReclaimedAccount> accounts) {
    return new ReclaimCheck(LEASES, WINDOW).check(accounts);
  }

  @Test
  void leasesWrittenOffOnceWithTheirExactLossAreFine() {
    assertThat(check(honest(5))).isEmpty();
  }

  static Stream<Named<UnaryOperator<ReclaimedAccount>>> falsified() {
    return Stream.of(
        Named.of("a lease is still active", a -> lease(a, LeaseState.ACTIVE, 0, 0, 0, 0)),
        Named.of("a unit is missing", a -> lease(a, LeaseState.LOSS, 0, 0, -1, 0)),
        Named.of("a unit was given back", a -> lease(a, LeaseState.LOSS, 1, 0, 0, 0)),
        Named.of("a unit was billed", a -> lease(a, LeaseState.LOSS, 0, 1, 0, 0)),
        Named.of(
            "before it was due",
            a -> lease(a, LeaseState.LOSS, 0, 0, 0, -TimeUnit.HOURS.toNanos(1))),
        Named.of("a lease is gone", a -> withLeases(a, Map.of())),
        Named.of(
            "written off twice",
            a -> withReclaims(a, List.of(a.reclaims().get(0), a.reclaims().get(0)))),
        Named.of("never written off", a -> withReclaims(a, List.of())),
        Named.of(
            "a unit more than they had",
            a ->
                withReclaims(
                    a,
                    List.of(
                        new ReclaimedAccount.Reclaim(
                            a.firstAtNanos(), LEASES, a.reclaims().get(0).lossUnits() + 1)))),
        Named.of(
            "more in one command than it may take",
            a ->
                withReclaims(
                    a,
                    List.of(
                        new ReclaimedAccount.Reclaim(
                            a.firstAtNanos(), LEASES + 1, a.reclaims().get(0).lossUnits()),
                        new ReclaimedAccount.Reclaim(a.firstAtNanos(), -1, 0)))),
        Named.of("the balance got a unit", a -> withBooks(a, 1, 0, 0)),
        Named.of("units are still outstanding", a -> withBooks(a, 0, 1, 0)),
        Named.of("the account lost less", a -> withBooks(a, 0, 0, -1)));
  }

  @ParameterizedTest
  @MethodSource
  void falsified(UnaryOperator<ReclaimedAccount> falsified) {
    final List<ReclaimedAccount> accounts = honest(1);
    accounts.set(0, falsified.apply(accounts.get(0)));

    assertThat(check(accounts))
        .isNotEmpty()
        .allMatch(found -> found.kind() == Violation.Kind.RECLAIMED_WRONGLY);
  }

  @Test
  void newestFirstIsOutOfOrder() {
    final List<ReclaimedAccount> accounts = honest(5);
    final List<ReclaimedAccount> reversed = new ArrayList<>();
    for (int i = 0; i < accounts.size(); i++) {
      reversed.add(servedAt(accounts.get(i), FIRST + 1_000 - i, false));
    }
    Collections.shuffle(reversed, new Random(1));

    assertThat(ReclaimCheck.mostOvertaken(reversed)).isEqualTo(4);
    assertThat(check(reversed))
        .singleElement()
        .matches(found -> found.kind() == Violation.Kind.OUT_OF_ORDER);
  }

  @Test
  void whatIsUnderWayTogetherMayOvertakeAndWhatItsOwnersDeathDelayedDoesNotCount() {
    final List<ReclaimedAccount> accounts = honest(6);
    final List<ReclaimedAccount> delayed = new ArrayList<>(accounts);
    delayed.set(0, servedAt(accounts.get(0), FIRST + 9_000, true));
    delayed.set(3, servedAt(accounts.get(3), accounts.get(5).firstAtNanos() + 1, false));

    assertThat(ReclaimCheck.mostOvertaken(delayed)).isEqualTo(WINDOW);
    assertThat(check(delayed)).isEmpty();
  }

  @Test
  void stragglersThatDoAnythingElseAreFound() {
    final ReclaimedAccount account = honest(1).get(0);
    final Lease lease = account.before().active().get(0);
    final Stragglers.Claim claim = new Stragglers.Claim(account.before().id(), lease, 1);
    final Outcome right = verdicts(UsageVerdict.STRAGGLER, UsageVerdict.BEYOND_LOSS);
    final long left = lease.remaining() - 1;

    assertThat(Stragglers.check(claim, right, stored(0, 1, left))).isEmpty();
    assertThat(
            Stream.of(
                Stragglers.check(
                    claim,
                    verdicts(UsageVerdict.STRAGGLER, UsageVerdict.STRAGGLER),
                    stored(0, 1, left)),
                Stragglers.check(
                    claim,
                    verdicts(UsageVerdict.LEASED, UsageVerdict.BEYOND_LOSS),
                    stored(0, 1, left)),
                Stragglers.check(claim, right, stored(0, 0, left + 1)),
                Stragglers.check(claim, right, stored(0, 2, left)),
                Stragglers.check(claim, right, stored(0, 1, left + 1)),
                Stragglers.check(claim, right, stored(1, 1, left)),
                Stragglers.check(claim, right, null)))
        .allSatisfy(
            found ->
                assertThat(found)
                    .singleElement()
                    .matches(one -> one.kind() == Violation.Kind.STRAGGLER_WRONG));
  }

  private static Outcome verdicts(UsageVerdict first, UsageVerdict second) {
    return new Outcome.UsageRecorded(List.of(first, second));
  }

  private static ReclaimedAccount.StoredLease stored(long returned, long billed, long loss) {
    return new ReclaimedAccount.StoredLease(LeaseState.LOSS, returned, billed, loss, 0);
  }

  private static ReclaimedAccount lease(
      ReclaimedAccount account, LeaseState state, long returned, long billed, long loss, long at) {
    final Map<Id128, ReclaimedAccount.StoredLease> leases = new HashMap<>(account.leases());
    final Id128 first = account.before().active().get(0).id();
    leases.computeIfPresent(
        first,
        (id, was) ->
            new ReclaimedAccount.StoredLease(
                state,
                was.returned() + returned,
                was.billed() + billed,
                was.loss() + loss,
                was.endedAtNanos() + at));
    return withLeases(account, leases);
  }

  private static ReclaimedAccount withLeases(
      ReclaimedAccount account, Map<Id128, ReclaimedAccount.StoredLease> leases) {
    return new ReclaimedAccount(
        account.before(), account.reclaims(), leases, account.books(), false);
  }

  private static ReclaimedAccount withReclaims(
      ReclaimedAccount account, List<ReclaimedAccount.Reclaim> reclaims) {
    return new ReclaimedAccount(
        account.before(), reclaims, account.leases(), account.books(), false);
  }

  private static ReclaimedAccount withBooks(
      ReclaimedAccount account, long balance, long outstanding, long loss) {
    final ReclaimedAccount.Books was = account.books();
    return new ReclaimedAccount(
        account.before(),
        account.reclaims(),
        account.leases(),
        new ReclaimedAccount.Books(
            was.balance() + balance,
            was.outstanding() + outstanding,
            was.billed(),
            was.loss() + loss),
        false);
  }

  private static ReclaimedAccount servedAt(
      ReclaimedAccount account, long atNanos, boolean disturbed) {
    final ReclaimedAccount.Reclaim was = account.reclaims().get(0);
    return new ReclaimedAccount(
        account.before(),
        List.of(new ReclaimedAccount.Reclaim(atNanos, was.leases(), was.lossUnits())),
        account.leases(),
        account.books(),
        disturbed);
  }
}
