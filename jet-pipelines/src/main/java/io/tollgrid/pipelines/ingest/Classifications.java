package io.tollgrid.pipelines.ingest;

import io.tollgrid.grid.usage.MemberInbox;
import io.tollgrid.grid.usage.TakenUsage;
import io.tollgrid.grid.usage.UsageRecorder;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
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
    /** Events that were offered, and neither came back nor are written down. */
    final BitSet taken = new BitSet();

    /** How many of them have no classification yet. */
    int open;

    List<Integer> positions = new ArrayList<>();
    List<UsageVerdict> verdicts = new ArrayList<>();
    long sinceNanos;
  }

  private record Due(String key, List<Integer> positions, List<UsageVerdict> verdicts) {}

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
   * @return false if it is there already, or its classification is on its way: it was taken again
   *     meanwhile
   */
  synchronized boolean offered(TakenUsage taken) {
    final OfBatch batch = batches.computeIfAbsent(taken.key(), key -> new OfBatch());
    if (batch.taken.get(taken.position())) {
      return false;
    }
    batch.taken.set(taken.position());
    batch.open++;
    return true;
  }

  /** The recorder had no room for it. */
  synchronized void notTaken(TakenUsage taken) {
    returned(taken);
  }

  private void returned(TakenUsage taken) {
    final @Nullable OfBatch batch = batches.get(taken.key());
    if (batch != null) {
      batch.open--;
      ended(taken.key(), batch, taken.position());
    }
  }

  private void ended(String key, OfBatch batch, int position) {
    batch.taken.clear(position);
    if (batch.taken.isEmpty()) {
      batches.remove(key);
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
        batch.open--;
        answered++;
      }
    }
    report.classified(verdicts);
  }

  @Override
  public void heldBack(List<TakenUsage> taken) {
    synchronized (this) {
      taken.forEach(this::returned);
    }
    report.heldBack(taken.size());
  }

  @Override
  public void failed(String code) {
    report.failed(code);
  }

  /** Writes down what is complete, or has waited long enough. */
  void writeDown(MemberInbox inbox) {
    final List<Due> due = new ArrayList<>(0);
    synchronized (this) {
      final long now = clock.nowNanos();
      if (answered == 0 || (now >= writtenNanos && now - writtenNanos < LOOK_NANOS)) {
        return;
      }
      writtenNanos = now;
      for (final Map.Entry<String, OfBatch> entry : batches.entrySet()) {
        final OfBatch batch = entry.getValue();
        if (!batch.positions.isEmpty()
            && (batch.open == 0 || now - batch.sinceNanos >= togetherNanos)) {
          due.add(new Due(entry.getKey(), batch.positions, batch.verdicts));
          answered -= batch.positions.size();
          batch.positions = new ArrayList<>();
          batch.verdicts = new ArrayList<>();
        }
      }
    }
    due.forEach(classified -> write(inbox, classified));
  }

  private void write(MemberInbox inbox, Due due) {
    try {
      final var unused =
          inbox
              .classify(due.key(), due.positions(), due.verdicts())
              .whenComplete((there, failure) -> written(due, failure == null));
    } catch (RuntimeException e) {
      written(due, false);
    }
  }

  private void written(Due due, boolean isWrittenDown) {
    synchronized (this) {
      final @Nullable OfBatch batch = batches.get(due.key());
      if (batch != null) {
        due.positions().forEach(position -> ended(due.key(), batch, position));
      }
    }
    if (!isWrittenDown) {
      report.notWrittenDown();
    }
  }
}
