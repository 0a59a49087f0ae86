package io.tollgrid.admission.snapshot;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.plan.PublishedPlan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;

/** A snapshot as requests read it: its accounts and its plan resolved. Immutable. */
public final class Standing {
  private final PrincipalSnapshot snapshot;
  private final PublishedPlan plan;
  private final AccountState[] legs;
  private final long[] meterSets;
  private final long funded;

  Standing(
      final PrincipalSnapshot snapshot,
      final PublishedPlan plan,
      final AccountState[] legs,
      final long[] meterSets) {
    this.snapshot = snapshot;
    this.plan = plan;
    this.legs = legs;
    this.meterSets = meterSets;
    long all = 0;
    for (final long meters : meterSets) {
      all |= meters;
    }
    this.funded = all;
  }

  /** The snapshot. */
  public PrincipalSnapshot snapshot() {
    return snapshot;
  }

  /** Its plan. */
  public PublishedPlan plan() {
    return plan;
  }

  /** How many accounts pay. */
  public int legs() {
    return legs.length;
  }

  /** The account of the billing leg. */
  public AccountState home() {
    return legs[0];
  }

  /** An account that pays; 0 is the home account. */
  public AccountState account(final int leg) {
    return legs[leg];
  }

  /** The meters a leg pays for, as bits. */
  public long meterSet(final int leg) {
    return meterSets[leg];
  }

  /** The meters that some leg pays for, as bits. */
  public long fundedMeters() {
    return funded;
  }
}
