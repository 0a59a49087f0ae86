package io.tollgrid.client;

import io.tollgrid.ledger.Evidence;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A quote that an instance could not fund, and when to ask the ledger for it again. Confined to the
 * instance's thread.
 */
final class Demand {
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
  private final LeaseSettings settings;
  private final SplittableRandom random;

  /** Answers in a row that left it unmet. */
  private int unmetAnswers;

  private long unmetUnits;
  private long holdUntilNanos;
  private long askedAtNanos;
  private long nextAskNanos;
  private long nextPollNanos;

  Demand(final LeaseSettings settings, final SplittableRandom random) {
    this.settings = settings;
    this.random = random;
  }

  /** Whether a quote was asked for, not granted, and may still be. */
  boolean isUnmet() {
    return unmetUnits > 0;
  }

  /** When the ledger may be asked again. */
  long nextAskNanos() {
    return nextAskNanos;
  }

  /** When the ledger may be polled again for new funding. */
  long nextPollNanos() {
    return nextPollNanos;
  }

  /** Until when units that are too few may be kept. */
  long holdUntilNanos() {
    return holdUntilNanos;
  }

  /** When an unmet quote is forgotten, if nobody has been refused it again. */
  long forgetAtNanos() {
    return askedAtNanos + 2 * settings.backstopNanos();
  }

  /** Takes note of an answer to a question for {@code demandUnits}. */
  void answered(
      final long demandUnits,
      final long grantedUnits,
      final @Nullable Evidence evidence,
      final long nowNanos) {
    if (demandUnits == 0) {
      return;
    }
    askedAtNanos = nowNanos;
    if (grantedUnits >= demandUnits) {
      forget(nowNanos);
    } else if (evidence != null && demandUnits > evidence.remainingUnits()) {
      forget(nowNanos);
      nextPollNanos = nowNanos + Backoff.jittered(settings.backstopNanos(), random);
    } else {
      if (unmetUnits == 0) {
        holdUntilNanos = nowNanos + Backoff.jittered(settings.holdNanos(), random);
      }
      unmetUnits = demandUnits;
      nextAskNanos =
          nowNanos
              + Backoff.nanos(
                  settings.firstBackoffNanos(), settings.maxBackoffNanos(), unmetAnswers++, random);
    }
  }

  /**
   * Something changed that may have made the units available: ask as soon as someone wants them.
   */
  void expedite(final long nowNanos) {
    if (isUnmet()) {
      unmetAnswers = 0;
      nextAskNanos = nowNanos;
    }
  }

  /** The units in hand were given back: let others try for longer than their pauses last. */
  void pause(final long nowNanos) {
    final long pause = Backoff.jittered(settings.backstopNanos(), random);
    nextAskNanos = nowNanos + pause;
    holdUntilNanos = nextAskNanos + Backoff.jittered(settings.holdNanos(), random);
  }

  /** The ledger cannot serve it for now, for a reason that has nothing to do with units. */
  void refused(final long nowNanos) {
    nextAskNanos = nowNanos + Backoff.jittered(settings.backstopNanos(), random);
    nextPollNanos = nextAskNanos;
  }

  /** Funding has changed: what was hopeless may not be. */
  void fundingChanged(final long nowNanos) {
    nextAskNanos = nowNanos;
    nextPollNanos = nowNanos;
  }

  /** Nobody wants it any more. */
  void forget(final long nowNanos) {
    unmetUnits = 0;
    unmetAnswers = 0;
    nextAskNanos = nowNanos;
  }
}
