package io.tollgrid.mapstore.journal;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One account run again from its first version, by the same pure function that ran it.
 *
 * <p>Entries are given in order. An entry that does not follow, or that the function answers or
 * counts otherwise, is told as a difference and ends the replay: nothing after it means anything.
 * Not thread-safe.
 */
public final class JournalReplay {
  private final Id128 account;
  private final LedgerLimits limits;
  private final Map<Id128, Lease> leases = new HashMap<>();
  private @Nullable AccountLedger ledger;
  private @Nullable String difference;

  /**
   * The replay of an account, before its first version.
   *
   * @param limits the bounds the account was run under; others give other answers
   */
  public JournalReplay(Id128 account, LedgerLimits limits) {
    this.account = account;
    this.limits = limits;
  }

  /** The account. */
  public Id128 account() {
    return account;
  }

  /** Runs the next entry. */
  public void run(JournalEntry entry) {
    if (difference != null) {
      return;
    }
    final long version = ledger == null ? 0 : ledger.version();
    if (entry.version() != version + 1) {
      difference = "the journal has version " + entry.version() + " after " + version;
      return;
    }
    final Decision decision =
        Ledger.apply(ledger, entry.request(), entry.ledgerTimeNanos(), limits);
    final Effects effects = decision.effects();
    final AccountLedger next = decision.next();
    if (effects == null || next == null || !effects.writes()) {
      difference = "version " + entry.version() + " is replayed as " + decision.outcome();
      return;
    }
    difference = differs(entry, decision, next);
    effects.inserted().forEach(lease -> leases.put(lease.id(), lease));
    effects.updated().forEach(lease -> leases.put(lease.id(), lease));
    ledger = next;
  }

  /** Ends the replay at an entry that cannot be read. */
  public void unreadable(long version, RuntimeException why) {
    if (difference == null) {
      difference = "version " + version + " cannot be read: " + why.getMessage();
    }
  }

  /** The first difference, or null if there was none. */
  public @Nullable String difference() {
    return difference;
  }

  /** The ledger as a load should find it, or null before the first version. */
  public @Nullable AccountLedger ledger() {
    final AccountLedger now = ledger;
    return now == null
        ? null
        : new AccountLedger(
            now.id(),
            now.version(),
            now.asOfNanos(),
            now.balances(),
            now.policy(),
            now.period(),
            now.nextFence(),
            now.active(),
            now.losses(),
            List.of());
  }

  /** Every lease the account ever had, by its id. */
  public Map<Id128, Lease> leases() {
    return Map.copyOf(leases);
  }

  private static @Nullable String differs(
      JournalEntry entry, Decision decision, AccountLedger next) {
    if (!decision.outcome().equals(entry.outcome())) {
      return "version "
          + entry.version()
          + " answered "
          + entry.outcome()
          + ", replayed "
          + decision.outcome();
    }
    if (!next.balances().equals(entry.books())
        || next.nextFence() != entry.nextFence()
        || next.policy().generation() != entry.policyGeneration()
        || next.period().number() != entry.periodNumber()
        || next.asOfNanos() != entry.ledgerTimeNanos()) {
      return "version "
          + entry.version()
          + " was left with "
          + entry.books()
          + ", replayed "
          + next.balances();
    }
    return null;
  }
}
