package io.tollgrid.verification.faults.ingest;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageVerdict;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;

/**
 * What one start of a writer was told, by the sequence of its deliveries; five bytes for each. Not
 * thread-safe.
 */
final class ToldAnswers {
  private static final UsageVerdict[] VERDICTS = UsageVerdict.values();
  private static final int FIRST = 1 << 10;

  /** Takes what contradicts something earlier. */
  interface Contradiction {
    /** A delivery was told this, and something else before. */
    void found(int event, int sequence, UsageVerdict before, UsageVerdict verdict);
  }

  private final BitSet[] answered;
  private final Contradiction contradiction;
  private int[] events = new int[FIRST];

  /** Of each delivery 0, or the place of its verdict from 1. */
  private byte[] verdicts = new byte[FIRST];

  private final BitSet heard = new BitSet();
  private int last;
  private long lost;
  private final Id128 writer;

  /**
   * Reads a file.
   *
   * @param answered set for every event whose first or second delivery was told
   */
  ToldAnswers(Path file, BitSet[] answered, Contradiction contradiction) {
    this.answered = answered;
    this.contradiction = contradiction;
    this.writer = ToldFile.read(file, this::add);
  }

  @SuppressWarnings("EnumOrdinal") // as it is in the file
  private void add(int event, int sequence, int copy, UsageVerdict verdict) {
    if (sequence >= verdicts.length) {
      final int more = Math.max(2 * verdicts.length, sequence + 1);
      events = Arrays.copyOf(events, more);
      verdicts = Arrays.copyOf(verdicts, more);
    }
    final boolean toldBefore = copy != ToldFile.LOST && heard.get(sequence);
    if (verdicts[sequence] != 0
        && (verdicts[sequence] != verdict.ordinal() + 1
            || events[sequence] != event
            || toldBefore)) {
      contradiction.found(event, sequence, VERDICTS[verdicts[sequence] - 1], verdict);
    }
    events[sequence] = event;
    verdicts[sequence] = (byte) (verdict.ordinal() + 1);
    last = Math.max(last, sequence);
    if (copy == ToldFile.LOST) {
      lost++;
    } else {
      heard.set(sequence);
      answered[copy].set(event);
    }
  }

  Id128 writer() {
    return writer;
  }

  /** The highest sequence that something is known of. */
  int last() {
    return last;
  }

  /** How many classifications got lost on their way. */
  long lost() {
    return lost;
  }

  /** What was said of a delivery that something is known of, heard or not. */
  UsageVerdict verdict(long sequence) {
    return VERDICTS[verdicts[(int) sequence] - 1];
  }

  /** Whether anything is known of a delivery. */
  boolean knows(long sequence) {
    return sequence <= last && verdicts[(int) sequence] != 0;
  }

  /** Whether its writer heard. */
  boolean heard(int sequence) {
    return heard.get(sequence);
  }

  /** The event that a delivery was about. */
  int event(long sequence) {
    return events[(int) sequence];
  }
}
