package io.tollgrid.client;

import java.util.concurrent.atomic.LongAdder;

/** What the lease managers of an instance did, in running totals. Thread-safe. */
public final class RefillCounters {
  final LongAdder acquires = new LongAdder();
  final LongAdder consolidations = new LongAdder();
  final LongAdder returns = new LongAdder();
  final LongAdder renewals = new LongAdder();
  final LongAdder releases = new LongAdder();
  final LongAdder refusals = new LongAdder();
  final LongAdder parked = new LongAdder();
  final LongAdder recallsAnswered = new LongAdder();
  final LongAdder forfeitedUnits = new LongAdder();

  RefillCounters() {}

  /** Acquires sent, polls for new funding included. */
  public long acquires() {
    return acquires.sum();
  }

  /** Consolidations sent. */
  public long consolidations() {
    return consolidations.sum();
  }

  /** Returns sent. */
  public long returns() {
    return returns.sum();
  }

  /** Renewals sent. */
  public long renewals() {
    return renewals.sum();
  }

  /** Releases sent. */
  public long releases() {
    return releases.sum();
  }

  /** Commands the ledger refused. */
  public long refusals() {
    return refusals.sum();
  }

  /** Times a command was parked because its outcome was unknown. */
  public long parked() {
    return parked.sum();
  }

  /** Leases given up because another holder needed the units. */
  public long recallsAnswered() {
    return recallsAnswered.sum();
  }

  /** Units that were still on leases when the ledger had ended them (R12). */
  public long forfeitedUnits() {
    return forfeitedUnits.sum();
  }
}
