package io.tollgrid.verification.faults.sweep;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An account with a past: every command in it was decided by the shipped ledger, at whatever time
 * it is said to have been asked. Not thread-safe.
 */
public final class SeededAccount {
  /** Whom the journal names for the past. */
  static final String ACTOR = "seed";

  /** One command and what it led to. */
  record Step(AccountLedger next, Effects effects) {}

  private final Id128 id;
  private final LedgerLimits limits;
  private final List<Step> steps = new ArrayList<>();
  private @Nullable AccountLedger ledger;

  /** An account that does not exist yet. */
  public SeededAccount(Id128 id, LedgerLimits limits) {
    this.id = id;
    this.limits = limits;
  }

  /**
   * Has a command decided.
   *
   * @param atNanos ledger time, epoch nanoseconds
   * @throws IllegalStateException if it does not take effect: no past is made of refusals
   */
  public Outcome ask(LedgerCommand command, long atNanos) {
    final LedgerRequest request = new LedgerRequest(id, ACTOR, Long.MAX_VALUE, command);
    final Decision decision = Ledger.apply(ledger, request, atNanos, limits);
    final Effects effects = decision.effects();
    final AccountLedger next = decision.next();
    if (effects == null || next == null || !effects.writes()) {
      throw new IllegalStateException(command + " was answered with " + decision.outcome());
    }
    steps.add(new Step(next, effects));
    ledger = next;
    return decision.outcome();
  }

  /** Its ledger after the last command. */
  public AccountLedger ledger() {
    return Objects.requireNonNull(ledger, "an account is created first");
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }
}
