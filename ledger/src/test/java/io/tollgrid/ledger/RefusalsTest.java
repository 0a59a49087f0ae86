package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Witnesses R11, R12, R15, R16 and R18 at their edges: every refusal there is can be reached, says
 * its own name, and changes nothing.
 */
class RefusalsTest {
  /** Given by the processor, before a ledger is asked (R45). */
  private static final Set<Refusal> NOT_THE_LEDGERS = EnumSet.of(Refusal.UNAUTHENTICATED);

  private static final long TOO_LONG = LedgerLimits.DEFAULTS.maxTtlNanos() + 1;

  /** A way to each refusal, on an account with 1,000 units of top-up. */
  private static Map<Refusal, Function<OneAccount, LedgerCommand>> ways() {
    final Map<Refusal, Function<OneAccount, LedgerCommand>> ways = new EnumMap<>(Refusal.class);
    ways.put(
        Refusal.ALREADY_EXISTS,
        a ->
            new LedgerCommand.Create(
                a.nextId(), AccountStatus.ACTIVE, CapacityClass.ASSURED, AccountTerms.STRICT));
    ways.put(
        Refusal.CONFLICT,
        a -> {
          final Id128 id = a.nextId();
          a.applied(new LedgerCommand.Deposit(id, 1));
          return new LedgerCommand.Deposit(id, 2);
        });
    ways.put(
        Refusal.ACCOUNT_SUSPENDED,
        a -> {
          a.status(AccountStatus.SUSPENDED);
          return a.acquiring(1);
        });
    ways.put(
        Refusal.ACCOUNT_CLOSED,
        a -> {
          a.status(AccountStatus.CLOSED);
          return a.acquiring(1);
        });
    ways.put(
        Refusal.BALANCE_EXHAUSTED,
        a -> {
          a.bill(a.lease(1_000), 1_000);
          return a.acquiring(1);
        });
    ways.put(
        Refusal.BALANCE_INSUFFICIENT,
        a -> {
          a.lease(1_000);
          return a.acquiring(1);
        });
    ways.put(
        Refusal.TTL_TOO_LONG,
        a ->
            new LedgerCommand.Acquire(
                a.nextId(), OneAccount.HOLDER, OneAccount.exactly(1), TOO_LONG, 0));
    ways.put(Refusal.CAPABILITY, a -> new LedgerCommand.Return(a.nextId(), 1, 1, 1));
    ways.put(
        Refusal.LEASE_ENDED,
        a -> {
          final Lease lease = a.lease(1);
          a.release(lease, 1);
          return new LedgerCommand.Return(lease.id(), lease.fence(), 2, 0);
        });
    ways.put(
        Refusal.STEP_GAP,
        a -> {
          final Lease lease = a.lease(1);
          return new LedgerCommand.Return(lease.id(), lease.fence(), 2, 0);
        });
    ways.put(
        Refusal.STEP_SUPERSEDED,
        a -> {
          final Lease lease = a.lease(2);
          a.give(lease, 1);
          a.give(lease, 1);
          return new LedgerCommand.Return(lease.id(), lease.fence(), 1, 1);
        });
    ways.put(
        Refusal.BEYOND_LEASE,
        a -> {
          final Lease lease = a.lease(2);
          return new LedgerCommand.Release(lease.id(), lease.fence(), 1, 3);
        });
    ways.put(
        Refusal.NOT_BILLED, a -> new LedgerCommand.Credit(a.nextId(), a.nextRequestId(), 0, 1));
    ways.put(
        Refusal.BEYOND_BILLED,
        a -> {
          final UsageEvent event = a.event(OneAccount.on(a.lease(5)), 3);
          a.record(event);
          return new LedgerCommand.Credit(a.nextId(), event.requestId(), 0, 4);
        });
    ways.put(
        Refusal.NO_SCHEDULE,
        a ->
            new LedgerCommand.SetSchedule(
                a.nextId(), null, LedgerCommand.SetSchedule.Effective.BOUNDARY));
    ways.put(Refusal.NOTHING_DUE, a -> new LedgerCommand.Reclaim(Long.MAX_VALUE));
    ways.put(Refusal.NOT_DUE, a -> new LedgerCommand.Cross());
    ways.put(Refusal.BALANCE_OVERFLOW, a -> new LedgerCommand.Deposit(a.nextId(), Long.MAX_VALUE));
    return ways;
  }

  /** Refusals that need more than a command on an ordinary account. */
  private static Map<Refusal, Runnable> otherWays() {
    final Map<Refusal, Runnable> ways = new EnumMap<>(Refusal.class);
    ways.put(
        Refusal.UNKNOWN_ACCOUNT,
        () ->
            assertThat(OneAccount.absent().refused(new LedgerCommand.Cross()))
                .isEqualTo(Refusal.UNKNOWN_ACCOUNT));
    ways.put(
        Refusal.EXPIRED,
        () -> {
          final OneAccount account = OneAccount.created();
          assertThat(account.refused(account.request(new LedgerCommand.Cross(), account.now() - 1)))
              .isEqualTo(Refusal.EXPIRED);
        });
    ways.put(
        Refusal.TOO_MANY_LEASES,
        () -> {
          final OneAccount account =
              OneAccount.created(Limits.with(l -> l.maxActiveLeases = 1), AccountTerms.STRICT);
          account.deposit(2);
          account.lease(1);
          assertThat(account.refused(account.acquiring(1))).isEqualTo(Refusal.TOO_MANY_LEASES);
        });
    return ways;
  }

  @Test
  void everyRefusalHasAWay() {
    final List<Refusal> reached = new ArrayList<>(ways().keySet());
    reached.addAll(otherWays().keySet());
    reached.addAll(NOT_THE_LEDGERS);

    assertThat(reached).containsExactlyInAnyOrder(Refusal.values());
  }

  @TestFactory
  Stream<DynamicTest> everyRefusalIsReachedAndChangesNothing() {
    return Stream.concat(
        ways().entrySet().stream()
            .map(
                way ->
                    DynamicTest.dynamicTest(
                        way.getKey().name(), () -> assertRefused(way.getKey(), way.getValue()))),
        otherWays().entrySet().stream()
            .map(way -> DynamicTest.dynamicTest(way.getKey().name(), way.getValue()::run)));
  }

  private static void assertRefused(Refusal reason, Function<OneAccount, LedgerCommand> way) {
    final OneAccount account = OneAccount.with(1_000);
    final LedgerCommand command = way.apply(account);
    final AccountLedger before = account.ledger();

    assertThat(account.refused(command)).isEqualTo(reason);
    assertThat(account.ledger()).isEqualTo(before);
    final Effects effects = account.last().effects();
    assertThat(effects.writes()).isFalse();
    assertThat(effects.inserted()).isEmpty();
    assertThat(effects.updated()).isEmpty();
    assertThat(effects.funding()).isEmpty();
    assertThat(effects.commandRow()).isNull();
    assertThat(effects.usage()).isEmpty();
    assertThat(effects.rejected()).isEmpty();
    assertThat(effects.credit()).isNull();
    assertThat(((Outcome.Refused) account.last().outcome()).evidence() != null)
        .as("only the two balance refusals are evidence (R15)")
        .isEqualTo(reason == Refusal.BALANCE_EXHAUSTED || reason == Refusal.BALANCE_INSUFFICIENT);
  }
}
