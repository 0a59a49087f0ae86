package io.tollgrid.client;

import io.tollgrid.ledger.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * A quote that an instance could not fund, and when to ask the ledger for it again. Immutable; what
 * changes it returns what it becomes. Times are epoch nanoseconds.
 *
 * @param unmetAnswers answers in a row that left it unmet
 * @param unmetUnits the quote that was asked for, not granted, and may still be; 0 for none
 * @param holdUntilNanos until when units that are too few may be kept
 * @param askedAtNanos when the quote that is unmet was last answered
 * @param nextAskNanos when the ledger may be asked again
 * @param nextPollNanos when the ledger may be polled again for new funding
 */
record Demand(
    int unmetAnswers,
    long unmetUnits,
    long holdUntilNanos,
    long askedAtNanos,
    long nextAskNanos,
    long nextPollNanos) {
  /*
   * An answer leaves a demand in one of three ways. Met: the grant covers it. Hopeless: evidence rules it out, so it is
   * polled for new funding only. Unmet: the units exist, but others hold them, work that runs holds them, or usage that
   * the ledger has not recorded yet has spent them. Then it is asked again
   *   - after a pause that doubles, because nothing announces what others return;
   *   - at once, when something of our own changed: usage was recorded, units came back.
   *
   * An instance that keeps waiting with units in hand may hold the very units another one needs, which holds the rest.
   * So after a while it gives its own back and pauses for longer than the others' pauses last: whoever can be served by
   * what is there then is served.
   */

  /** Nothing is unmet, and the ledger may be asked at once. */
  static final Demand NONE = met(0);

  private static Demand met(final long nextPollNanos) {
    return new Demand(0, 0, 0, 0, 0, nextPollNanos);
  }

  /** Whether a quote was asked for, not granted, and may still be. */
  boolean isUnmet() {
    return unmetUnits > 0;
  }

  /** When an unmet quote is forgotten, if nobody has been refused it again. */
  long forgetAtNanos(final LeaseSettings settings) {
    return askedAtNanos + 2 * settings.backstopNanos();
  }

  /** After an answer to a question for {@code demandUnits}. */
  Demand answered(
      final long demandUnits,
      final long grantedUnits,
      final @Nullable Evidence evidence,
      final InstanceContext context) {
    if (demandUnits == 0) {
      return this;
    }
    final LeaseSettings settings = context.settings().leases();
    final long nowNanos = context.loop().nowNanos();
    if (grantedUnits >= demandUnits) {
      return forgotten(nowNanos);
    }
    if (evidence != null && demandUnits > evidence.remainingUnits()) {
      return met(nowNanos + Backoff.jittered(settings.backstopNanos(), context.random()));
    }
    return new Demand(
        unmetAnswers + 1,
        demandUnits,
        isUnmet()
            ? holdUntilNanos
            : nowNanos + Backoff.jittered(settings.holdNanos(), context.random()),
        nowNanos,
        nowNanos
            + Backoff.nanos(
                settings.firstBackoffNanos(),
                settings.maxBackoffNanos(),
                unmetAnswers,
                context.random()),
        nextPollNanos);
  }

  /**
   * After something that may have made the units available: it is asked as soon as someone wants
   * them.
   */
  Demand expedited(final long nowNanos) {
    return isUnmet()
        ? new Demand(0, unmetUnits, holdUntilNanos, askedAtNanos, nowNanos, nextPollNanos)
        : this;
  }

  /** After the units in hand were given back: others try for longer than their pauses last. */
  Demand paused(final InstanceContext context) {
    final LeaseSettings settings = context.settings().leases();
    final long askNanos = backstop(context);
    return new Demand(
        unmetAnswers,
        unmetUnits,
        askNanos + Backoff.jittered(settings.holdNanos(), context.random()),
        askedAtNanos,
        askNanos,
        nextPollNanos);
  }

  /** After a refusal for a reason that has nothing to do with units. */
  Demand refused(final InstanceContext context) {
    final long askNanos = backstop(context);
    return new Demand(unmetAnswers, unmetUnits, holdUntilNanos, askedAtNanos, askNanos, askNanos);
  }

  private static long backstop(final InstanceContext context) {
    return context.loop().nowNanos()
        + Backoff.jittered(context.settings().leases().backstopNanos(), context.random());
  }

  /** After a change of funding: what was hopeless may not be. */
  Demand funded(final long nowNanos) {
    return isUnmet()
        ? new Demand(unmetAnswers, unmetUnits, holdUntilNanos, askedAtNanos, nowNanos, nowNanos)
        : NONE;
  }

  /** When nobody wants it any more. */
  Demand forgotten(final long nowNanos) {
    return nextPollNanos <= nowNanos ? NONE : met(nextPollNanos);
  }
}
