package io.tollgrid.verification.faults.load;

import io.tollgrid.ledger.Id128;

/**
 * What a holder believes about one of its leases. Used by one caller at a time: whoever took it out
 * of the {@link LeaseBook}.
 */
final class HeldLease {
  private final Id128 account;
  private final Id128 id;
  private final long fence;
  private long freeUnits;
  private long steps;

  HeldLease(Id128 account, Id128 id, long fence, long freeUnits) {
    this.account = account;
    this.id = id;
    this.fence = fence;
    this.freeUnits = freeUnits;
  }

  Id128 account() {
    return account;
  }

  Id128 id() {
    return id;
  }

  long fence() {
    return fence;
  }

  long freeUnits() {
    return freeUnits;
  }

  long steps() {
    return steps;
  }

  long nextStep() {
    return steps + 1;
  }

  void stepped() {
    steps++;
  }

  void spend(long units) {
    freeUnits -= units;
  }
}
