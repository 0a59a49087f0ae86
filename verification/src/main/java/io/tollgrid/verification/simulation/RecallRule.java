package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Recall;
import org.jspecify.annotations.Nullable;

/** What note stays beside an entry after a command: as the processor keeps it (R2). */
final class RecallRule {
  private RecallRule() {}

  /** The largest unmet quote of another holder that is still worth honouring, or this one. */
  static @Nullable Recall after(@Nullable Recall kept, Effects effects, long unmetUnits) {
    final long now = effects.ledgerTimeNanos();
    final Recall live = kept == null || kept.expiresAtNanos() <= now ? null : kept;
    final Id128 holder = holderOf(effects.request().command());
    if (holder == null) {
      return live;
    }
    final Recall others = live == null || live.holder().equals(holder) ? null : live;
    if (unmetUnits == 0 || (others != null && others.units() >= unmetUnits)) {
      return others;
    }
    return new Recall(unmetUnits, holder, now + Scale.LIMITS.recallNanos());
  }

  private static @Nullable Id128 holderOf(LedgerCommand command) {
    if (command instanceof LedgerCommand.Acquire acquire) {
      return acquire.holder();
    }
    return command instanceof LedgerCommand.Consolidate consolidate ? consolidate.holder() : null;
  }
}
