package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Witnesses R18: which command an active, a suspended and a closed account allows, for every
 * command there is.
 */
class StatusTableTest {
  private static final Id128 ID = new Id128(0x57A7, 1);

  /** How a command ends on an ACTIVE, a SUSPENDED and a CLOSED account; {@code ✓} is applied. */
  private static final Map<Class<?>, List<String>> TABLE = table();

  private static Map<Class<?>, List<String>> table() {
    final Map<Class<?>, List<String>> table = new HashMap<>();
    table.put(
        LedgerCommand.Create.class, List.of("ALREADY_EXISTS", "ALREADY_EXISTS", "ALREADY_EXISTS"));
    table.put(LedgerCommand.Acquire.class, List.of("✓", "ACCOUNT_SUSPENDED", "ACCOUNT_CLOSED"));
    table.put(LedgerCommand.Consolidate.class, List.of("✓", "ACCOUNT_SUSPENDED", "ACCOUNT_CLOSED"));
    for (final Class<?> forbiddenOnceClosed :
        List.of(
            LedgerCommand.Deposit.class,
            LedgerCommand.Renew.class,
            LedgerCommand.SetSchedule.class,
            LedgerCommand.SetStatus.class,
            LedgerCommand.SetCapacityClass.class,
            LedgerCommand.SetTerms.class)) {
      table.put(forbiddenOnceClosed, List.of("✓", "✓", "ACCOUNT_CLOSED"));
    }
    for (final Class<?> alwaysAllowed :
        List.of(
            LedgerCommand.Return.class,
            LedgerCommand.Release.class,
            LedgerCommand.RecordUsage.class,
            LedgerCommand.Credit.class,
            LedgerCommand.Reclaim.class,
            LedgerCommand.Cross.class)) {
      table.put(alwaysAllowed, List.of("✓", "✓", "✓"));
    }
    return table;
  }

  /** An account on which every command has something to do. */
  private static final class Busy {
    private final OneAccount account = OneAccount.created();
    private final Lease lease;
    private final UsageEvent billed;

    Busy() {
      account.deposit(1_000);
      account.schedule(
          BudgetSchedule.monthlyUtc(100), LedgerCommand.SetSchedule.Effective.BOUNDARY);
      final Lease due = account.lease(5);
      lease = account.lease(50);
      billed = account.event(OneAccount.on(lease), 10);
      account.record(billed);
      account.applied(
          new LedgerCommand.Renew(
              lease.id(), lease.fence(), 1, LedgerLimits.DEFAULTS.maxTtlNanos()));
      account.at(due.reclaimableAtNanos());
    }

    Map<Class<?>, LedgerCommand> commands() {
      final List<LedgerCommand> all =
          List.of(
              new LedgerCommand.Create(
                  ID, AccountStatus.ACTIVE, CapacityClass.ASSURED, AccountTerms.STRICT),
              new LedgerCommand.Deposit(ID, 1),
              new LedgerCommand.Credit(ID, billed.requestId(), billed.part(), 1),
              new LedgerCommand.SetSchedule(
                  ID, BudgetSchedule.monthlyUtc(1), LedgerCommand.SetSchedule.Effective.NOW),
              new LedgerCommand.SetStatus(ID, AccountStatus.ACTIVE),
              new LedgerCommand.SetCapacityClass(ID, CapacityClass.ASSURED),
              new LedgerCommand.SetTerms(ID, AccountTerms.elastic(1)),
              new LedgerCommand.Acquire(
                  ID, OneAccount.HOLDER, OneAccount.exactly(1), OneAccount.TTL, 0),
              new LedgerCommand.Consolidate(
                  ID,
                  OneAccount.HOLDER,
                  lease.id(),
                  lease.fence(),
                  1,
                  OneAccount.exactly(1),
                  OneAccount.TTL,
                  0),
              new LedgerCommand.Return(lease.id(), lease.fence(), 2, 1),
              new LedgerCommand.Renew(lease.id(), lease.fence(), 2, OneAccount.TTL),
              new LedgerCommand.Release(lease.id(), lease.fence(), 2, 1),
              new LedgerCommand.RecordUsage(List.of(account.event(OneAccount.on(lease), 1))),
              new LedgerCommand.Reclaim(Long.MAX_VALUE),
              new LedgerCommand.Cross());
      final Map<Class<?>, LedgerCommand> byClass = new HashMap<>();
      all.forEach(command -> byClass.put(command.getClass(), command));
      return byClass;
    }
  }

  @Test
  void everyCommandHasARowAndASample() {
    assertThat(TABLE.keySet()).isEqualTo(SealedTypes.leavesOf(LedgerCommand.class));
    assertThat(new Busy().commands().keySet()).isEqualTo(SealedTypes.leavesOf(LedgerCommand.class));
  }

  @TestFactory
  Stream<DynamicTest> everyCommandEndsAsTheTableSays() {
    return Stream.of(AccountStatus.values())
        .flatMap(
            status ->
                TABLE.keySet().stream()
                    .map(
                        command ->
                            DynamicTest.dynamicTest(
                                status + " " + command.getSimpleName(),
                                () -> assertRow(status, command))));
  }

  private static void assertRow(AccountStatus status, Class<?> command) {
    final Busy busy = new Busy();
    if (status != AccountStatus.ACTIVE) {
      busy.account.status(status);
    }
    if (command == LedgerCommand.Cross.class) {
      busy.account.at(busy.account.ledger().period().endNanos());
    }
    final String expected = TABLE.get(command).get(List.of(AccountStatus.values()).indexOf(status));

    final Outcome outcome = busy.account.run(busy.commands().get(command));
    if (expected.equals("✓")) {
      assertThat(outcome).isInstanceOf(Outcome.Applied.class);
    } else {
      assertThat(outcome).isEqualTo(new Outcome.Refused(Refusal.valueOf(expected), null));
      assertThat(busy.account.last().effects().writes()).isFalse();
    }
  }

  @Test
  void activeAndSuspendedTurnIntoEachOtherAndBothIntoClosedForGood() {
    final OneAccount account = OneAccount.created();
    account.status(AccountStatus.SUSPENDED);
    account.status(AccountStatus.ACTIVE);
    account.status(AccountStatus.SUSPENDED);
    account.status(AccountStatus.CLOSED);

    for (final AccountStatus status : AccountStatus.values()) {
      assertThat(account.refused(new LedgerCommand.SetStatus(account.nextId(), status)))
          .isEqualTo(Refusal.ACCOUNT_CLOSED);
    }
    final OneAccount other = OneAccount.created();
    other.status(AccountStatus.CLOSED);
    assertThat(other.ledger().policy().status()).isEqualTo(AccountStatus.CLOSED);
  }

  @Test
  void aCreditOnAClosedAccountIsTopUp() {
    final Busy busy = new Busy();
    busy.account.status(AccountStatus.CLOSED);
    final long topUp = busy.account.books().topUp();
    busy.account.applied(
        new LedgerCommand.Credit(ID, busy.billed.requestId(), busy.billed.part(), 4));

    assertThat(busy.account.books().topUp()).isEqualTo(topUp + 4);
  }
}
