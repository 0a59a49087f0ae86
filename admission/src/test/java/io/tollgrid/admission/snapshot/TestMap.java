package io.tollgrid.admission.snapshot;

import io.tollgrid.admission.account.AccountRegistry;
import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.plan.Catalogue;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map with an account, a plan, and room for two negatives and two watermarks. */
final class TestMap {
  static final Id128 ALICE = new Id128(1, 1);
  static final Id128 BOB = new Id128(2, 2);
  static final Id128 CAROL = new Id128(3, 3);
  static final Id128 HOME = new Id128(0, 100);
  static final Id128 PARENT = new Id128(0, 200);
  static final String PLAN = "free";
  static final long UNKNOWN_TTL = 5;
  static final long REVOKED_TTL = 60;

  final Catalogue catalogue = new Catalogue();
  final AccountRegistry accounts = new AccountRegistry();
  final SnapshotMap map;

  TestMap() {
    this(2, 2);
  }

  TestMap(final int negatives, final int forgotten) {
    map =
        new SnapshotMap(
            catalogue,
            accounts,
            new SnapshotMapLimits(UNKNOWN_TTL, REVOKED_TTL, negatives, forgotten));
    map.publish(plan(1, 10));
    open(HOME, RateLimits.NONE, 0, 1);
    open(PARENT, RateLimits.NONE, 0, 1);
  }

  AccountState open(
      final Id128 account, final RateLimits rates, final long ceiling, final int shards) {
    final AccountState known = accounts.find(account);
    final AccountPolicy policy =
        new AccountPolicy(
            1,
            AccountStatus.ACTIVE,
            CapacityClass.BEST_EFFORT,
            new AccountTerms(EnforcementMode.STRICT, 0, rates, ceiling),
            false);
    if (known != null) {
      throw new AssertionError("opened twice: " + account);
    }
    return accounts.open(account, policy, () -> {}, shards);
  }

  /** A plan whose one operation costs a unit an item, up to so many. */
  static Plan plan(final long generation, final long maximumItems) {
    return new Plan(
        PLAN,
        generation,
        Bits256.ZERO,
        Permissions.ALL,
        Permissions.ALL,
        List.of(
            new OperationPrice(
                "chat",
                List.of(MeterPrice.perItem("tokens")),
                1,
                maximumItems,
                Billing.PER_REQUEST,
                Duration.ofMinutes(1))));
  }

  static PrincipalSnapshot snapshot(final Id128 principal, final long generation) {
    return snapshot(principal, generation, 0, SnapshotLeg.of(HOME));
  }

  static PrincipalSnapshot snapshot(
      final Id128 principal, final long generation, final long ceiling, final SnapshotLeg... legs) {
    return new PrincipalSnapshot(principal, generation, PLAN, List.of(legs), ceiling);
  }

  static SnapshotLeg leg(final Id128 account, final String... meters) {
    return new SnapshotLeg(account, Set.of(meters));
  }

  Publication resolved(final Id128 principal, final long generation) {
    return map.resolved(snapshot(principal, generation), 1_000, map.readEpoch());
  }

  Publication pushed(final Id128 principal, final long generation) {
    return map.pushed(snapshot(principal, generation), 1_000);
  }

  @Nullable Principal find(final Id128 principal) {
    return map.find(principal.high(), principal.low());
  }

  Principal known(final Id128 principal) {
    final Principal found = find(principal);
    if (found == null) {
      throw new AssertionError("the map knows nothing of " + principal);
    }
    return found;
  }

  Standing standing(final Id128 principal) {
    final Standing standing = known(principal).standing();
    if (standing == null) {
      throw new AssertionError(principal + " has no snapshot");
    }
    return standing;
  }
}
