package io.tollgrid.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A note beside a ledger that someone needs units which others hold (R2).
 *
 * <p>It is a hint: kept in memory only, lost with the entry, and asked again at every backstop.
 *
 * @param units the largest unmet quote
 * @param holder who asked, so that its own refill does not answer it
 * @param sinceNanos since when someone has needed units, one after the other, epoch nanoseconds
 * @param expiresAtNanos when the note means nothing any more, epoch nanoseconds
 */
public record Recall(long units, Id128 holder, long sinceNanos, long expiresAtNanos) {
  /**
   * The note to keep beside an entry after a decision: the largest unmet quote that is not out of
   * date and not met by this grant.
   *
   * @param kept the note so far
   * @param effects what was decided
   * @param unmetUnits see {@link Decision#unmetDemandUnits}
   * @param recallNanos how long a note lives
   */
  public static @Nullable Recall after(
      @Nullable Recall kept, Effects effects, long unmetUnits, long recallNanos) {
    final long nowNanos = effects.ledgerTimeNanos();
    final Recall live = kept == null || kept.expiresAtNanos() <= nowNanos ? null : kept;
    final Id128 asker = askerOf(effects.request().command());
    if (asker == null) {
      return live;
    }
    final Recall others = live == null || live.holder().equals(asker) ? null : live;
    if (unmetUnits == 0 || (others != null && others.units() >= unmetUnits)) {
      return others;
    }
    return new Recall(
        unmetUnits,
        asker,
        live == null ? nowNanos : live.sinceNanos(),
        Math.addExact(nowNanos, recallNanos));
  }

  private static @Nullable Id128 askerOf(LedgerCommand command) {
    if (command instanceof LedgerCommand.Acquire acquire) {
      return acquire.holder();
    }
    return command instanceof LedgerCommand.Consolidate consolidate ? consolidate.holder() : null;
  }
}
