package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One account, rebuilt by applying its commands one after the other: what a store without crashes,
 * caches or concurrency would hold.
 *
 * <p>A decision is made with the true rows attached: those the command itself would create, and
 * those it turns out to need. So a command that took effect before is recognised however it was
 * sent.
 */
final class ReplayedAccount {
  /** A decision needs rows at most once per kind of row; more rounds mean that it never ends. */
  private static final int MAX_ROUNDS = 8;

  private final LedgerLimits limits;
  private final Map<RowKey, StoredRow> rows = new HashMap<>();
  private @Nullable AccountLedger ledger;

  ReplayedAccount(LedgerLimits limits) {
    this.limits = limits;
  }

  /** The ledger now, or null before its creation. */
  @Nullable AccountLedger ledger() {
    return ledger;
  }

  /** The rows now. */
  Map<RowKey, StoredRow> rows() {
    return rows;
  }

  long version() {
    return ledger == null ? 0 : ledger.version();
  }

  /** What the ledger makes of a request here and at this time; changes nothing. */
  Decision decide(LedgerRequest request, long clockNanos) {
    LedgerRequest informed = attach(request.withRows(Map.of()), request.rows().keySet());
    informed = attach(informed, Ledger.ownRows(request.command()));
    for (int round = 0; round < MAX_ROUNDS; round++) {
      final Decision decision = Ledger.apply(ledger, informed, clockNanos, limits);
      if (!(decision.outcome() instanceof Outcome.NeedsRows needs)) {
        return decision;
      }
      informed = attach(informed, needs.keys());
    }
    throw new IllegalStateException("a decision keeps asking for rows: " + request);
  }

  /** Moves to what the decision made. */
  void take(Decision decision) {
    final Effects effects = decision.effects();
    if (effects == null || !effects.writes()) {
      throw new IllegalArgumentException("a decision that writes nothing: " + decision.outcome());
    }
    ledger = decision.next();
    effects
        .inserted()
        .forEach(lease -> put(new RowKey.LeaseKey(lease.id()), new StoredRow.LeaseRow(lease)));
    effects
        .updated()
        .forEach(lease -> put(new RowKey.LeaseKey(lease.id()), new StoredRow.LeaseRow(lease)));
    if (effects.commandRow() != null
        && effects.request().command() instanceof LedgerCommand.OperatorCommand operator) {
      put(new RowKey.CommandKey(operator.commandId()), effects.commandRow());
    }
    effects.usage().forEach(this::accept);
    effects
        .rejected()
        .forEach(
            entry ->
                put(
                    new RowKey.DeliveryKey(entry.event().writer(), entry.event().sequence()),
                    new StoredRow.RejectedRow(entry.verdict())));
    if (effects.credit() != null) {
      credit(effects.credit());
    }
  }

  private void accept(Effects.UsageEntry entry) {
    put(
        new RowKey.UsageKey(entry.event().requestId(), entry.event().part()),
        new StoredRow.UsageRow(
            entry.verdict(),
            entry.event().units(),
            entry.event().writer(),
            entry.event().sequence(),
            0));
  }

  private void credit(Effects.CreditEntry credit) {
    final RowKey key = new RowKey.UsageKey(credit.requestId(), credit.part());
    if (!(rows.get(key) instanceof StoredRow.UsageRow row)) {
      throw new IllegalStateException("a credit for a part that was never recorded: " + credit);
    }
    put(
        key,
        new StoredRow.UsageRow(
            row.verdict(),
            row.units(),
            row.writer(),
            row.sequence(),
            Math.addExact(row.creditedUnits(), credit.units())));
  }

  private void put(RowKey key, StoredRow row) {
    rows.put(key, row);
  }

  private LedgerRequest attach(LedgerRequest request, Collection<RowKey> keys) {
    final Map<RowKey, Optional<StoredRow>> attached = new HashMap<>(request.rows());
    keys.forEach(key -> attached.put(key, Optional.ofNullable(rows.get(key))));
    return request.withRows(attached);
  }
}
