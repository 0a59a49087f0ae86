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
  final LongAdder uncertain = new LongAdder();
  final LongAdder uncertainUnits = new LongAdder();
  final LongAdder deaths = new LongAdder();
  final LongAdder abandonedLeases = new LongAdder();
  final LongAdder abandonedUnits = new LongAdder();
  final LongAdder recallsAnswered = new LongAdder();
  final LongAdder forfeitedUnits = new LongAdder();

  RefillCounters() {}

  /** A command became uncertain, or is not any more. */
  void uncertain(final PendingCommand command, final int times) {
    uncertain.add(times);
    uncertainUnits.add(times * command.unitsAtStake());
  }

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

  /** Commands that may have happened and are not settled yet, now (R35). */
  public long uncertain() {
    return uncertain.sum();
  }

  /**
   * Units that such commands took off a lease or asked for, now: what the ledger may have granted
   * or taken back without anybody here knowing.
   */
  public long uncertainUnits() {
    return uncertainUnits.sum();
  }

  /** Times a lease manager failed and began anew (R36). */
  public long deaths() {
    return deaths.sum();
  }

  /** Leases given up by managers that failed: the ledger reclaims them (R12). */
  public long abandonedLeases() {
    return abandonedLeases.sum();
  }

  /** Units that were neither home nor recorded of such leases. */
  public long abandonedUnits() {
    return abandonedUnits.sum();
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
