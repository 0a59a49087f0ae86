package io.tollgrid.pipelines.ingest;

import io.tollgrid.grid.usage.MemberInbox;
import io.tollgrid.grid.usage.TakenUsage;
import io.tollgrid.grid.usage.UsageRecorder;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the ledgers said of events, on its way back to their batches: those of one batch are written
 * down together. What gets lost here is found again by whoever takes the batch again. Thread-safe.
 */
final class Classifications implements UsageRecorder.Ends {
  /** How often it is looked for batches that are due. */
  private static final long LOOK_NANOS = 1_000_000L;

  private static final class OfBatch {
    final List<Integer> positions = new ArrayList<>();
    final List<UsageVerdict> verdicts = new ArrayList<>();
    final BitSet underWay = new BitSet();
    long sinceNanos;
  }

  private final LedgerClock clock;
  private final long togetherNanos;
  private final IngestReport report;

  // guarded by this
  private final Map<String, OfBatch> batches = new HashMap<>();

  /** Classifications that were not written down. */
  private int answered;

  private long writtenNanos;

  Classifications(LedgerClock clock, long togetherNanos, IngestReport report) {
    this.clock = clock;
    this.togetherNanos = togetherNanos;
    this.report = report;
  }

  /**
   * An event is about to be offered to the recorder.
   *
   * @return false if it is there already: it was taken again meanwhile
   */
  synchronized boolean offered(TakenUsage taken) {
    final BitSet underWay = batches.computeIfAbsent(taken.key(), key -> new OfBatch()).underWay;
    if (underWay.get(taken.position())) {
      return false;
    }
    underWay.set(taken.position());
    return true;
  }

  /** The recorder had no room for it. */
  synchronized void notTaken(TakenUsage taken) {
    ended(taken);
  }

  private void ended(TakenUsage taken) {
    final @Nullable OfBatch batch = batches.get(taken.key());
    if (batch != null) {
      batch.underWay.clear(taken.position());
      if (batch.underWay.isEmpty() && batch.positions.isEmpty()) {
        batches.remove(taken.key());
      }
    }
  }

  @Override
  public void classified(List<TakenUsage> taken, List<UsageVerdict> verdicts) {
    final long now = clock.nowNanos();
    synchronized (this) {
      for (int i = 0; i < taken.size(); i++) {
        final OfBatch batch = batches.computeIfAbsent(taken.get(i).key(), key -> new OfBatch());
        if (batch.positions.isEmpty()) {
          batch.sinceNanos = now;
        }
        batch.positions.add(taken.get(i).position());
        batch.verdicts.add(verdicts.get(i));
        answered++;
        batch.underWay.clear(taken.get(i).position());
      }
    }
    report.classified(verdicts);
  }

  @Override
  public void heldBack(List<TakenUsage> taken) {
    synchronized (this) {
      taken.forEach(this::ended);
    }
    report.heldBack(taken.size());
  }

  @Override
  public void failed(String code) {
    report.failed(code);
  }

  /** Writes down what is complete, or has waited long enough. */
  void writeDown(MemberInbox inbox) {
    final Map<String, OfBatch> due = new HashMap<>();
    synchronized (this) {
      final long now = clock.nowNanos();
      if (answered == 0 || (now >= writtenNanos && now - writtenNanos < LOOK_NANOS)) {
        return;
      }
      writtenNanos = now;
      final Iterator<Map.Entry<String, OfBatch>> each = batches.entrySet().iterator();
      while (each.hasNext()) {
        final Map.Entry<String, OfBatch> entry = each.next();
        final OfBatch batch = entry.getValue();
        if (!batch.positions.isEmpty()
            && (batch.underWay.isEmpty() || now - batch.sinceNanos >= togetherNanos)) {
          due.put(entry.getKey(), batch);
          answered -= batch.positions.size();
          each.remove();
        }
      }
      due.forEach(
          (key, batch) -> {
            if (!batch.underWay.isEmpty()) {
              final OfBatch rest = new OfBatch();
              rest.underWay.or(batch.underWay);
              batches.put(key, rest);
            }
          });
    }
    due.forEach((key, batch) -> write(inbox, key, batch));
  }

  private void write(MemberInbox inbox, String key, OfBatch batch) {
    try {
      final var unused =
          inbox
              .classify(key, batch.positions, batch.verdicts)
              .whenComplete(
                  (there, failure) -> {
                    if (failure != null) {
                      report.notWrittenDown();
                    }
                  });
    } catch (RuntimeException e) {
      report.notWrittenDown();
    }
  }
}
