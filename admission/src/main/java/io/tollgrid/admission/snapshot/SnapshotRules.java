package io.tollgrid.admission.snapshot;

import io.tollgrid.admission.plan.Catalogue;
import io.tollgrid.admission.plan.PublishedPlan;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot may not contradict (R42). Asked by whoever stores it, before it is on record, and
 * again by every instance before it comes into force there. Pure.
 */
public final class SnapshotRules {
  private SnapshotRules() {}

  /**
   * Why a snapshot must not come into force, the key first, or null if it may.
   *
   * @param accounts the policies of its legs' accounts, all of them
   */
  public static @Nullable String refusal(
      final PrincipalSnapshot snapshot, final Plan plan, final Map<Id128, AccountPolicy> accounts) {
    final Catalogue catalogue = new Catalogue();
    final PublishedPlan.Compiled compiled = new PublishedPlan(plan, catalogue).current();
    return refusal(snapshot, compiled, meterSets(snapshot, catalogue), accounts);
  }

  /** The same over a plan that is compiled already. */
  static @Nullable String refusal(
      final PrincipalSnapshot snapshot,
      final PublishedPlan.Compiled plan,
      final Map<Id128, Long> meterSets,
      final Map<Id128, AccountPolicy> accounts) {
    for (final Map.Entry<Id128, Long> leg : meterSets.entrySet()) {
      final AccountPolicy account = accounts.get(leg.getKey());
      if (account == null) {
        return "legs: account " + leg.getKey() + " is not known here";
      }
      final long largest = plan.largestQuoteUnits(leg.getValue());
      final long burst = account.terms().rates().burstUnits();
      if (burst > 0 && largest > burst) {
        return "plan: its dearest permitted operation costs "
            + largest
            + " units, more than the burst of account "
            + leg.getKey()
            + "; lower the operation's maximum or raise the burst";
      }
    }
    final Id128 home = snapshot.legs().get(0).account();
    final AccountPolicy paying = accounts.get(home);
    final long ceiling = paying == null ? 0 : paying.terms().concurrencyCeiling();
    return ceiling > 0 && snapshot.concurrencyCeiling() > ceiling
        ? "concurrencyCeiling: "
            + snapshot.concurrencyCeiling()
            + " is above the "
            + ceiling
            + " of its account "
            + home
        : null;
  }

  /** The meters of each account, merged to one set per account, in the order of the legs (R8). */
  static Map<Id128, Long> meterSets(final PrincipalSnapshot snapshot, final Catalogue catalogue) {
    final Map<Id128, Long> meterSets = new LinkedHashMap<>();
    for (final SnapshotLeg leg : snapshot.legs()) {
      meterSets.merge(leg.account(), catalogue.meterSet(leg.meters()), (one, other) -> one | other);
    }
    return meterSets;
  }
}
