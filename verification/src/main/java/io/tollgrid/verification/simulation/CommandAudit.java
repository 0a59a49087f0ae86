package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What took effect against what clients were told (R3, R16).
 *
 * <p>A command is the pair of its account and its body, ids included. It takes effect once. A
 * client may ask for it again under a later deadline, so what is told not to happen is the command
 * under its deadline. Reclaim and crossing have no ids and are left out: they are idempotent by
 * state.
 */
final class CommandAudit {
  private final Map<Asked, Effect> tookEffect = new HashMap<>();
  private final Set<Deadlined> neverDid = new HashSet<>();

  private record Asked(Id128 account, LedgerCommand command) {}

  private record Deadlined(Asked asked, long notAfterNanos) {}

  private record Effect(Outcome outcome, long notAfterNanos) {}

  /** A transition with this outcome was committed. */
  void tookEffect(Id128 account, Effects effects) {
    final LedgerCommand command = effects.request().command();
    if (!hasIdentity(command) || !(effects.outcome() instanceof Outcome.Applied)) {
      return;
    }
    final boolean usage = command instanceof LedgerCommand.RecordUsage;
    if (usage && effects.usage().isEmpty() && effects.rejected().isEmpty()) {
      return; // every event was known; only a boundary was crossed
    }
    final Asked asked = new Asked(account, command);
    if (neverDid.contains(new Deadlined(asked, effects.request().notAfterNanos()))) {
      throw new Violation(
          "R16", "what a client was told did not happen does not happen", describe(asked));
    }
    final Effect earlier =
        tookEffect.putIfAbsent(
            asked, new Effect(effects.outcome(), effects.request().notAfterNanos()));
    if (earlier != null) {
      throw new Violation("R16", "a command takes effect once", describe(asked));
    }
  }

  /** A client was told that the command took effect. */
  void toldApplied(Id128 account, LedgerCommand command, Outcome told) {
    if (!hasIdentity(command) || command instanceof LedgerCommand.RecordUsage) {
      return; // what usage was told is checked event by event
    }
    final Effect committed = tookEffect.get(new Asked(account, command));
    if (committed == null) {
      throw new Violation(
          "R16",
          "an acknowledged command is in the store",
          describe(new Asked(account, command)) + " told " + told);
    }
    if (!sameReceipt(committed.outcome(), told)) {
      throw new Violation(
          "R16", "a receipt is the original one", committed.outcome() + " was told as " + told);
    }
  }

  /** A client was told, for good, that the command did not take effect. */
  void toldRefused(LedgerRequest request, Refusal reason) {
    final LedgerCommand command = request.command();
    if (!hasIdentity(command) || reason == Refusal.STEP_SUPERSEDED) {
      return; // a superseded step was taken, its receipt is gone
    }
    final Asked asked = new Asked(request.account(), command);
    final Effect effect = tookEffect.get(asked);
    if (effect != null
        && (reason != Refusal.EXPIRED || effect.notAfterNanos() == request.notAfterNanos())) {
      throw new Violation(
          "R3", "a command that took effect is not refused", describe(asked) + " told " + reason);
    }
    neverDid.add(new Deadlined(asked, request.notAfterNanos()));
  }

  /** Equal, but for evidence and restored units, which a receipt from a row does not repeat. */
  static boolean sameReceipt(Outcome first, Outcome told) {
    if (first instanceof Outcome.Granted one && told instanceof Outcome.Granted two) {
      return one.leaseId().equals(two.leaseId())
          && one.fence() == two.fence()
          && one.units() == two.units()
          && one.expiresAtNanos() == two.expiresAtNanos()
          && (two.evidence() == null || one.equals(two));
    }
    return first.equals(told);
  }

  /** Equal as answers of one and the same decision. */
  static boolean sameAnswer(@Nullable Outcome one, @Nullable Outcome other) {
    return one != null && one.equals(other);
  }

  private static boolean hasIdentity(LedgerCommand command) {
    return !(command instanceof LedgerCommand.Reclaim || command instanceof LedgerCommand.Cross);
  }

  private static String describe(Asked asked) {
    return "account " + Ids.accountOf(asked.account()) + " " + asked.command();
  }
}
