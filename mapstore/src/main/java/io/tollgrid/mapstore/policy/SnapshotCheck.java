package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges a snapshot against its plan and its accounts, before it becomes authoritative (R42). */
@FunctionalInterface
public interface SnapshotCheck {
  /**
   * Why it must not come into force, the key first, or null.
   *
   * @param accounts the policies of all its legs' accounts
   */
  @Nullable String refusal(
      PrincipalSnapshot snapshot, Plan plan, Map<Id128, AccountPolicy> accounts);
}
