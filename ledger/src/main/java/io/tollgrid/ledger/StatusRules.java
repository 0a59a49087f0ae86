package io.tollgrid.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Which commands an account's status forbids (R18).
 *
 * <pre>
 *                                            ACTIVE   SUSPENDED   CLOSED
 * acquire, consolidate                         ✓          –          –
 * deposit, renew, schedule, status, class,
 *   terms                                      ✓          ✓          –
 * return, release, usage, credit, reclaim,
 *   cross                                      ✓          ✓          ✓
 * </pre>
 *
 * <p>A closed account crosses its boundary too, but only to expire: nothing is deposited and its
 * schedule ends.
 */
final class StatusRules {
  private StatusRules() {}

  static @Nullable Refusal refusal(AccountStatus status, LedgerCommand command) {
    return switch (status) {
      case ACTIVE -> null;
      case SUSPENDED -> takesALease(command) ? Refusal.ACCOUNT_SUSPENDED : null;
      case CLOSED -> windsDown(command) ? null : Refusal.ACCOUNT_CLOSED;
    };
  }

  private static boolean takesALease(LedgerCommand command) {
    return command instanceof LedgerCommand.Acquire || command instanceof LedgerCommand.Consolidate;
  }

  private static boolean windsDown(LedgerCommand command) {
    return command instanceof LedgerCommand.Return
        || command instanceof LedgerCommand.Release
        || command instanceof LedgerCommand.RecordUsage
        || command instanceof LedgerCommand.Credit
        || command instanceof LedgerCommand.Reclaim
        || command instanceof LedgerCommand.Cross
        // Told apart from "closed" by its own refusal, whatever the status.
        || command instanceof LedgerCommand.Create;
  }
}
