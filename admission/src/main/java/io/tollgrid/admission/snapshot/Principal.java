package io.tollgrid.admission.snapshot;

import io.tollgrid.admission.concurrency.ConcurrencyGauge;
import io.tollgrid.ledger.Id128;
import org.jspecify.annotations.Nullable;

/**
 * One principal as this process knows it, for as long as it is remembered. Its occupancy outlives
 * every snapshot (R30).
 *
 * <p>Reading is lock-free; the {@link SnapshotMap} writes.
 */
public final class Principal {
  private final long idHigh;
  private final long idLow;
  private final ConcurrencyGauge gauge = new ConcurrencyGauge();

  private volatile @Nullable Standing standing;
  private volatile boolean revoked;
  private volatile long freshUntilNanos;

  // The map's own, guarded by its monitor.

  /** The highest generation ever accepted. */
  long watermark;

  /** The number of the change by which something was last learnt of it. */
  long changedAt;

  /** The generation at which it was revoked, 0 if it was not. */
  long tombstone;

  /** When the negative answer runs out, epoch nanoseconds; 0 if there is none. */
  long negativeUntilNanos;

  Principal(final Id128 id) {
    this.idHigh = id.high();
    this.idLow = id.low();
  }

  /** Its id. */
  public Id128 id() {
    return new Id128(idHigh, idLow);
  }

  boolean is(final long high, final long low) {
    return idLow == low && idHigh == high;
  }

  /** Its newest snapshot, or null if it is revoked, unknown or forgotten. */
  public @Nullable Standing standing() {
    return standing;
  }

  /** Whether it was revoked. */
  public boolean isRevoked() {
    return revoked;
  }

  /** First instant at which its snapshot is stale, epoch nanoseconds. */
  public long freshUntilNanos() {
    return freshUntilNanos;
  }

  /** What it runs. */
  public ConcurrencyGauge gauge() {
    return gauge;
  }

  void accept(final Standing next, final long ceiling, final long freshUntil) {
    gauge.limit(ceiling);
    revoked = false;
    standing = next;
    // Last, and read first: whoever sees it sees the snapshot it belongs to.
    freshUntilNanos = freshUntil;
  }

  void confirm(final long freshUntil) {
    freshUntilNanos = Math.max(freshUntilNanos, freshUntil);
  }

  void lose(final boolean byRevocation) {
    revoked = byRevocation;
    standing = null;
  }
}
