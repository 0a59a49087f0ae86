package io.tollgrid.admission.snapshot;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.plan.PublishedPlan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as requests read it: its accounts and its plan resolved. Immutable.
 *
 * <p>The home leg has fields of its own: most have no other, and there is one for each principal.
 */
public final class Standing {
  private final long generation;
  private final PublishedPlan plan;
  private final AccountState home;
  private final long homeMeters;
  private final @Nullable OtherLegs others;

  /** The legs after the home leg: leg {@code n} is at {@code n - 1}. */
  private static final class OtherLegs {
    final AccountState[] accounts;
    final long[] meterSets;

    OtherLegs(final AccountState[] legs, final long[] meterSets) {
      this.accounts = Arrays.copyOfRange(legs, 1, legs.length);
      this.meterSets = Arrays.copyOfRange(meterSets, 1, legs.length);
    }
  }

  /**
   * A standing.
   *
   * @param generation of its snapshot
   * @param legs the accounts that pay, home first
   * @param meterSets for each, the meters it pays for, as bits
   */
  Standing(
      final long generation,
      final PublishedPlan plan,
      final AccountState[] legs,
      final long[] meterSets) {
    this.generation = generation;
    this.plan = plan;
    this.home = legs[0];
    this.homeMeters = meterSets[0];
    this.others = legs.length == 1 ? null : new OtherLegs(legs, meterSets);
  }

  /** The generation of its snapshot. */
  public long generation() {
    return generation;
  }

  /** Its plan. */
  public PublishedPlan plan() {
    return plan;
  }

  /** How many accounts pay. */
  public int legs() {
    return others == null ? 1 : 1 + others.accounts.length;
  }

  /** The account of the billing leg. */
  public AccountState home() {
    return home;
  }

  /** An account that pays; 0 is the home account. */
  public AccountState account(final int leg) {
    return leg == 0 || others == null ? home : others.accounts[leg - 1];
  }

  /** The meters a leg pays for, as bits. */
  public long meterSet(final int leg) {
    return leg == 0 || others == null ? homeMeters : others.meterSets[leg - 1];
  }

  /** The meters that some leg pays for, as bits. */
  public long fundedMeters() {
    long funded = homeMeters;
    if (others != null) {
      for (final long meters : others.meterSets) {
        funded |= meters;
      }
    }
    return funded;
  }
}
