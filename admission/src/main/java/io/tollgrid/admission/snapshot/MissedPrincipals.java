package io.tollgrid.admission.snapshot;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The principals that requests asked for in vain, until whoever keeps the map current looks them up
 * (R38).
 *
 * <p>Noting one neither blocks nor allocates. Room is bounded: two principals that fall on one
 * place between two drains leave one of them noted, and the other is noted when it asks again. So a
 * flood of made-up principals costs a bounded number of lookups.
 */
public final class MissedPrincipals {
  private static final int PLACES = 256;
  private static final int FREE = 0;
  private static final int WRITING = 1;
  private static final int FULL = 2;

  private final AtomicIntegerArray states = new AtomicIntegerArray(PLACES);
  private final long[] high = new long[PLACES];
  private final long[] low = new long[PLACES];
  private final Runnable bell;

  /**
   * No principals yet.
   *
   * @param bell called when one was noted; must neither block nor allocate
   */
  public MissedPrincipals(final Runnable bell) {
    this.bell = bell;
  }

  /** Takes note of a principal. For requests. */
  public void note(final Id128 principal) {
    final long mixed = (principal.high() ^ principal.low()) * 0x9E3779B97F4A7C15L;
    final int place = (int) (mixed >>> 56);
    if (states.compareAndSet(place, FREE, WRITING)) {
      high[place] = principal.high();
      low[place] = principal.low();
      states.set(place, FULL);
      bell.run();
    }
  }

  /** Takes out what was noted. For one thread at a time. */
  public List<Id128> drain() {
    final List<Id128> missed = new ArrayList<>();
    for (int place = 0; place < PLACES; place++) {
      if (states.get(place) == FULL) {
        missed.add(new Id128(high[place], low[place]));
        states.set(place, FREE);
      }
    }
    return missed;
  }
}
