package io.tollgrid.admission.outcome;

import io.tollgrid.admission.denial.Denial;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts how requests ended (R32).
 *
 * <p>Every denial of admission and every outcome of an admitted request is counted exactly once. At
 * any quiet moment
 *
 * <pre>
 * execution_started + capacity_shed + refused_at_start + cancelled_before_start
 *   + abandoned_before_start + in_flight = admitted
 * </pre>
 *
 * where the requests in flight are those whose phase is pending. Who counts often has a {@link
 * Writer} of its own and shares no word with anyone; all others add atomically to a stripe.
 * Counting allocates nothing; reading sums everything, which is no snapshot.
 */
public final class OutcomeCounters {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private static final Denial[] DENIALS = Denial.values();
  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final int CELLS_PER_LINE = 8;
  private static final int CELLS =
      (DENIALS.length + OUTCOMES.length + CELLS_PER_LINE - 1) / CELLS_PER_LINE * CELLS_PER_LINE;

  /** Unused cells on either side of each stripe, so that two stripes never share a cache line. */
  private static final int PADDING = 2 * CELLS_PER_LINE;

  private final long[][] stripes;
  private final List<Writer> writers = new CopyOnWriteArrayList<>();

  /** Counts for one thread at a time. */
  public static final class Writer {
    private final long[] cells = new long[PADDING + CELLS + PADDING];

    private Writer() {}

    /** Counts a denial. */
    public void denied(final Denial denial) {
      add(cellOf(denial));
    }

    /** Counts an outcome. */
    public void count(final Outcome outcome) {
      add(cellOf(outcome));
    }

    private void add(final int cell) {
      // Nobody else writes; whoever sums may be a moment behind.
      CELL.setRelease(cells, PADDING + cell, cells[PADDING + cell] + 1);
    }
  }

  /**
   * Counters in {@code stripes} stripes.
   *
   * @param stripes a power of two, 1 or more
   */
  public OutcomeCounters(final int stripes) {
    if (stripes < 1 || Integer.bitCount(stripes) != 1) {
      throw new IllegalArgumentException("stripes must be a power of two, not " + stripes);
    }
    this.stripes = new long[stripes][PADDING + CELLS + PADDING];
  }

  /** A writer, counted in from now on. */
  public Writer newWriter() {
    final Writer writer = new Writer();
    writers.add(writer);
    return writer;
  }

  /** Takes over what a writer counted that will count no more. */
  public void retire(final Writer writer) {
    if (writers.remove(writer)) {
      for (int cell = 0; cell < CELLS; cell++) {
        CELL.getAndAdd(stripes[0], PADDING + cell, writer.cells[PADDING + cell]);
      }
    }
  }

  /**
   * Counts a denial.
   *
   * @param stripe any number; callers that keep theirs apart do not contend
   */
  public void denied(final int stripe, final Denial denial) {
    add(stripe, cellOf(denial));
  }

  /** Counts an outcome. */
  public void count(final int stripe, final Outcome outcome) {
    add(stripe, cellOf(outcome));
  }

  /** How often this denial happened. */
  public long denials(final Denial denial) {
    return sum(cellOf(denial));
  }

  /** How often this outcome happened. */
  public long count(final Outcome outcome) {
    return sum(cellOf(outcome));
  }

  /** All denials of admission together. */
  public long denied() {
    long all = 0;
    for (final Denial denial : DENIALS) {
      if (denial.stage() == Denial.Stage.ADMISSION) {
        all += denials(denial);
      }
    }
    return all;
  }

  /** Admitted requests that have left the pending phase, by any of the ways there are. */
  public long resolved() {
    return count(Outcome.EXECUTION_STARTED)
        + count(Outcome.CAPACITY_SHED)
        + count(Outcome.REFUSED_AT_START)
        + count(Outcome.CANCELLED_BEFORE_START)
        + count(Outcome.ABANDONED_BEFORE_START);
  }

  /** In memory only, so that the order of the constants means nothing to anyone else. */
  @SuppressWarnings("EnumOrdinal")
  private static int cellOf(final Denial denial) {
    return denial.ordinal();
  }

  @SuppressWarnings("EnumOrdinal")
  private static int cellOf(final Outcome outcome) {
    return DENIALS.length + outcome.ordinal();
  }

  private void add(final int stripe, final int cell) {
    CELL.getAndAdd(stripes[stripe & (stripes.length - 1)], PADDING + cell, 1L);
  }

  private long sum(final int cell) {
    long all = 0;
    for (final long[] stripe : stripes) {
      all += (long) CELL.getOpaque(stripe, PADDING + cell);
    }
    for (final Writer writer : writers) {
      all += (long) CELL.getAcquire(writer.cells, PADDING + cell);
    }
    return all;
  }
}
