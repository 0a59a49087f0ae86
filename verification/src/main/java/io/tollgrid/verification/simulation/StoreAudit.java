package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerFunction;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches every transition that a store lets stand, and every row it writes.
 *
 * <p>What stands must be the serial truth: the same request, put to the rows as they are committed,
 * must get the same answer and lead to the same ledger. On top of that come checks that know
 * nothing of {@code Ledger.apply}: the books ({@link BooksAudit}), the terms of leases, what each
 * command may move ({@link TransitionRules}) and which commands took effect ({@link CommandAudit}).
 */
final class StoreAudit {
  private final LedgerFunction ledger;
  private final VirtualTime time;
  private final CommandAudit commands;
  private final SpendAudit spend;
  private final UsageAudit usage;
  private final ScenarioWatch scenarios;
  private final BooksAudit[] books = new BooksAudit[Scale.ACCOUNTS];

  StoreAudit(
      LedgerFunction ledger,
      VirtualTime time,
      CommandAudit commands,
      SpendAudit spend,
      UsageAudit usage,
      Coverage coverage) {
    this.usage = usage;
    this.scenarios = new ScenarioWatch(coverage);
    this.ledger = ledger;
    this.time = time;
    this.commands = commands;
    this.spend = spend;
    for (int account = 0; account < Scale.ACCOUNTS; account++) {
      books[account] = new BooksAudit();
    }
  }

  BooksAudit books(int account) {
    return books[account];
  }

  /** A transition was judged to stand; nothing of it was written yet. */
  void stands(Transition transition, Verdict verdict, AccountRows rows, long fenceAtRest) {
    final Effects effects = transition.effects();
    if (transition.ownershipFence() != fenceAtRest) {
      throw new Violation(
          "3.4",
          "only the owner's fence stands",
          transition.ownershipFence() + " stood against " + fenceAtRest);
    }
    if (effects.baseVersion() != rows.version()) {
      throw new Violation(
          "3.3",
          "a decision stands on the version it was made at",
          effects.baseVersion() + " stood against " + rows.version());
    }
    if (effects.ledgerTimeNanos() - time.nowNanos() > Scale.MAX_SKEW_NANOS) {
      throw new Violation(
          "R57",
          "ledger time is not ahead of the store's",
          effects.ledgerTimeNanos() + " against " + time.nowNanos());
    }
    final AccountLedger committed = rows.load();
    final Decision serial =
        ledger.apply(
            committed,
            withEveryRow(effects.request(), rows),
            effects.ledgerTimeNanos(),
            Scale.LIMITS);
    requireSerial(transition, verdict, serial);
    if (verdict == Verdict.CONFIRMED) {
      requireTrueEvidence(effects.outcome(), committed);
      scenarios.confirmed(effects);
    }
  }

  /** An answer left its owner without a store having been asked. */
  void leftUnchecked(Effects effects, AccountRows rows) {
    final AccountLedger committed = rows.load();
    final Evidence claimed = evidenceOf(effects.outcome());
    if (claimed != null
        && committed != null
        && committed.balances().remaining() > claimed.remainingUnits()) {
      throw new Violation(
          "R15",
          "evidence is not contradicted by what is committed",
          "said " + claimed.remainingUnits() + ", is " + committed.balances().remaining());
    }
    final Decision serial =
        ledger.apply(
            committed,
            withEveryRow(effects.request(), rows),
            effects.ledgerTimeNanos(),
            Scale.LIMITS);
    if (claimed == null && !CommandAudit.sameAnswer(serial.outcome(), effects.outcome())) {
      throw new Violation(
          "3.2",
          "an answer that writes nothing is true of what is committed",
          effects.outcome() + " against " + serial.outcome());
    }
  }

  /** A write is about to happen. */
  void beforeWrite(Transition transition, @Nullable AccountLedger before, AccountRows rows) {
    final Effects effects = transition.effects();
    if (rows.refusesInsertOf(effects)) {
      throw new Violation(
          "R16", "no row is created twice", CommandKind.of(effects.request().command()).toString());
    }
    for (final Lease lease : effects.updated()) {
      final Lease old = rows.lease(lease.id());
      LeaseTerms.requireOnwards(old, lease);
      if (effects.request().command() instanceof LedgerCommand.Reclaim
          && old != null
          && old.state() == LeaseState.ACTIVE) {
        spend.reclaimed(lease.id());
      }
    }
    for (final Lease lease : effects.inserted()) {
      LeaseTerms.requireFresh(lease, before);
    }
    final AccountLedger next = transition.next();
    if (next != null) {
      TransitionRules.require(before, rows, effects, next);
      scenarios.wrote(before, effects, next, rows);
    }
  }

  /** A write has happened. */
  void afterWrite(Transition transition, AccountRows rows) {
    final Effects effects = transition.effects();
    final int account = Ids.accountOf(transition.account());
    final AccountLedger after = rows.load();
    if (after == null || after.version() != effects.baseVersion() + 1) {
      throw new Violation("R16", "a write is the next version", String.valueOf(after));
    }
    books[account].wrote(effects, rows);
    effects.usage().forEach(usage::recorded);
    effects.rejected().forEach(usage::recorded);
    books[account].requireBalanced(after);
    final AccountLedger next = transition.next();
    if (next == null || !sameButForSettled(next, after)) {
      throw new Violation("R10", "the rows say what the ledger became", after + " against " + next);
    }
    requireTrueEvidence(effects.outcome(), after);
    for (final Lease lease : effects.updated()) {
      spend.requireWithinGrant(lease);
    }
    spend.requireWithinAllocation(account, after.balances());
    commands.tookEffect(transition.account(), effects);
  }

  private void requireSerial(Transition transition, Verdict verdict, Decision serial) {
    final Effects effects = transition.effects();
    if (!CommandAudit.sameAnswer(serial.outcome(), effects.outcome())) {
      throw new Violation(
          "3.2",
          "an answer that stands is the serial answer",
          CommandKind.of(effects.request().command())
              + " "
              + verdict
              + " "
              + effects.outcome()
              + " against "
              + serial.outcome());
    }
    final AccountLedger next = transition.next();
    final AccountLedger expected = serial.next();
    if (verdict == Verdict.COMMIT
        && (next == null || expected == null || !sameButForSettled(next, expected))) {
      throw new Violation(
          "3.2", "a ledger that stands is the serial ledger", next + " against " + expected);
    }
  }

  private static boolean sameButForSettled(AccountLedger one, AccountLedger other) {
    return one.version() == other.version()
        && one.asOfNanos() == other.asOfNanos()
        && one.balances().equals(other.balances())
        && one.policy().equals(other.policy())
        && one.period().equals(other.period())
        && one.nextFence() == other.nextFence()
        && one.active().equals(other.active())
        && one.losses().equals(other.losses());
  }

  private static void requireTrueEvidence(Outcome outcome, @Nullable AccountLedger truth) {
    final Evidence evidence = evidenceOf(outcome);
    if (evidence == null) {
      return;
    }
    if (truth == null || !evidence.equals(truth.evidence())) {
      throw new Violation(
          "R15",
          "evidence is what is committed",
          evidence + " against " + (truth == null ? "no account" : truth.evidence()));
    }
  }

  private static @Nullable Evidence evidenceOf(Outcome outcome) {
    if (outcome instanceof Outcome.Refused refused) {
      return refused.evidence();
    }
    return outcome instanceof Outcome.Granted granted ? granted.evidence() : null;
  }

  /** The request with every row attached that a decision on it could ask for. */
  private static LedgerRequest withEveryRow(LedgerRequest request, AccountRows rows) {
    final Set<RowKey> keys = Ledger.ownRows(request.command());
    if (request.command() instanceof LedgerCommand.LeaseStepCommand step) {
      keys.add(new RowKey.LeaseKey(step.leaseId()));
    } else if (request.command() instanceof LedgerCommand.Consolidate consolidate) {
      keys.add(new RowKey.LeaseKey(consolidate.oldLeaseId()));
    } else if (request.command() instanceof LedgerCommand.Credit credit) {
      keys.add(new RowKey.UsageKey(credit.requestId(), credit.part()));
    } else if (request.command() instanceof LedgerCommand.RecordUsage usage) {
      usage.events().forEach(event -> LeaseTerms.leaseOf(event).ifPresent(keys::add));
    }
    final Map<RowKey, Optional<StoredRow>> attached = new HashMap<>();
    for (final RowKey key : keys) {
      attached.put(key, Optional.ofNullable(rows.row(key)));
    }
    return request.withRows(attached);
  }
}
