package io.tollgrid.admission.outcome;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.Id128;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Who was denied what, by the minute, for whoever asks later (R50): account, principal, reason,
 * count and the last quote.
 *
 * <p>Best effort and bounded: what finds no place is counted as dropped. Recording is for requests,
 * lock-free and without allocation; draining is for one thread.
 */
public final class DenialMinutes {
  /**
   * One reason of one principal in one minute.
   *
   * @param account the account that caused it, {@link Id128#ZERO} if none did
   * @param principal who was denied, {@link Id128#ZERO} if unknown
   * @param denial the reason
   * @param minute minutes since the epoch
   * @param count how often, 1 or more
   * @param lastQuoteUnits what the last one of them would have cost, 0 if it was not priced
   */
  public record Entry(
      Id128 account,
      Id128 principal,
      Denial denial,
      long minute,
      long count,
      long lastQuoteUnits) {}

  /*
   * A table of cells, found by hash and a few steps beyond. A cell's word holds how often the cell was emptied, in its
   * high half, and a count in its low half; 0 there means that nobody has the cell. Who counts claims the cell for as long
   * as it writes the quote, and the key if nobody had the cell; then it publishes both with the count. It claims by
   * compare-and-set from the word it read before it compared the key, so it cannot count in what the cell was emptied of,
   * or refilled with, since. A claim is a few writes long; who finds one looks again a few times, then goes on to the next
   * cell, so that nobody waits for a thread that stopped in the middle.
   */
  private static final long NANOS_PER_MINUTE = 60_000_000_000L;
  private static final int STEPS = 8;
  private static final int LOOKS_AT_A_CLAIM = 64;
  private static final long COUNT = (1L << 31) - 1;
  private static final long CLAIMED = 1L << 31;
  private static final long ONE_EMPTYING = 1L << 32;
  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(Cell.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final class Cell {
    volatile long word;
    long accountHigh;
    long accountLow;
    long principalHigh;
    long principalLow;
    Denial denial = Denial.UNKNOWN_PRINCIPAL;
    long minute;
    long lastQuoteUnits;

    boolean is(
        final Id128 account, final Id128 principal, final Denial reason, final long ofMinute) {
      return minute == ofMinute
          && denial == reason
          && accountLow == account.low()
          && principalLow == principal.low()
          && accountHigh == account.high()
          && principalHigh == principal.high();
    }
  }

  private final Cell[] cells;
  private volatile long dropped;
  private static final VarHandle DROPPED;

  static {
    try {
      DROPPED = MethodHandles.lookup().findVarHandle(DenialMinutes.class, "dropped", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Room for {@code entries} entries.
   *
   * @param entries a power of two, 8 or more
   */
  public DenialMinutes(final int entries) {
    if (entries < STEPS || Integer.bitCount(entries) != 1) {
      throw new IllegalArgumentException(
          "denial minutes need room for a power of two of entries, 8 or more, not " + entries);
    }
    this.cells = new Cell[entries];
    for (int i = 0; i < entries; i++) {
      cells[i] = new Cell();
    }
  }

  /** Counts a denial. */
  public void record(
      final Id128 account,
      final Id128 principal,
      final Denial denial,
      final long quoteUnits,
      final long nowNanos) {
    final long minute = Math.floorDiv(nowNanos, NANOS_PER_MINUTE);
    final int home = placeOf(account, principal, denial, minute);
    for (int step = 0; step < STEPS; step++) {
      final Cell cell = cells[home + step & cells.length - 1];
      if (tryAdd(cell, account, principal, denial, minute, quoteUnits)) {
        return;
      }
    }
    DROPPED.getAndAdd(this, 1L);
  }

  private static boolean tryAdd(
      final Cell cell,
      final Id128 account,
      final Id128 principal,
      final Denial denial,
      final long minute,
      final long quoteUnits) {
    for (int look = 0; look < LOOKS_AT_A_CLAIM; look++) {
      final long seen = cell.word;
      if ((seen & CLAIMED) == 0) {
        final long count = seen & COUNT;
        if (count > 0
            && (count == COUNT || !cell.is(account, principal, denial, minute))
            && cell.word == seen) {
          return false;
        }
        if (WORD.compareAndSet(cell, seen, seen | CLAIMED)) {
          if (count == 0) {
            cell.accountHigh = account.high();
            cell.accountLow = account.low();
            cell.principalHigh = principal.high();
            cell.principalLow = principal.low();
            cell.denial = denial;
            cell.minute = minute;
          }
          cell.lastQuoteUnits = quoteUnits;
          cell.word = seen + 1;
          return true;
        }
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** Takes out every entry of a minute that is over at {@code nowNanos}. For one thread. */
  public void drain(final long nowNanos, final Consumer<Entry> to) {
    final long current = Math.floorDiv(nowNanos, NANOS_PER_MINUTE);
    for (final Cell cell : cells) {
      final long seen = cell.word;
      if ((seen & COUNT) > 0 && (seen & CLAIMED) == 0 && cell.minute < current) {
        to.accept(empty(cell));
      }
    }
  }

  private static Entry empty(final Cell cell) {
    // Only this thread empties, so the key stands until the word says that the cell is free.
    while (true) {
      final long seen = cell.word;
      if ((seen & CLAIMED) == 0) {
        final Entry entry =
            new Entry(
                new Id128(cell.accountHigh, cell.accountLow),
                new Id128(cell.principalHigh, cell.principalLow),
                cell.denial,
                cell.minute,
                seen & COUNT,
                cell.lastQuoteUnits);
        if (WORD.compareAndSet(cell, seen, (seen & -ONE_EMPTYING) + ONE_EMPTYING)) {
          return entry;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** Denials that found no place since the start. */
  public long dropped() {
    return dropped;
  }

  /** In memory only, so that the order of the constants means nothing to anyone else. */
  @SuppressWarnings("EnumOrdinal")
  private int placeOf(
      final Id128 account, final Id128 principal, final Denial denial, final long minute) {
    final long mixed =
        (account.low() ^ Long.rotateLeft(principal.low(), 32) ^ minute * 31 + denial.ordinal())
            * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & cells.length - 1;
  }
}
