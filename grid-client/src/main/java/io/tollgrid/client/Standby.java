package io.tollgrid.client;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.snapshot.Principal;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.admission.snapshot.Standing;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an instance able to admit before anybody asks: leases for everyone in a fixed set of
 * principals, or for a few if whoever comes is served. Else it would never be ready, and nobody
 * would ever ask (R39). Confined to the instance's thread.
 */
final class Standby extends Duty {
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** How many principals are tried at most when nobody is admissible and anybody would do. */
  private static final int A_FEW = 8;

  private final Tracked tracked;
  private final SnapshotMap principals;
  private final Membership accounts;

  /**
   * How many are tried next when anybody would do: one, so that an instance at rest keeps one lease
   * and no more, and twice as many each time that was in vain.
   */
  private int tries = 1;

  Standby(final Tracked tracked, final SnapshotMap principals, final Membership accounts) {
    this.tracked = tracked;
    this.principals = principals;
    this.accounts = accounts;
  }

  @Override
  long perform(final long nowNanos) {
    if (tracked instanceof Tracked.Fixed fixed) {
      for (final Id128 principal : fixed.principals()) {
        prepare(principals.find(principal.high(), principal.low()), nowNanos);
      }
    } else {
      final List<Principal> few = new ArrayList<>();
      final boolean ready =
          principals.anyActive(
              principal -> {
                if (few.size() < tries) {
                  few.add(principal);
                }
                return ReadinessProbe.isAdmissible(principal, nowNanos);
              });
      if (ready) {
        tries = 1;
      } else if (!few.isEmpty()) {
        few.forEach(principal -> prepare(principal, nowNanos));
        tries = Math.min(2 * tries, A_FEW);
      }
    }
    return nowNanos + LOOK_NANOS;
  }

  private void prepare(final @Nullable Principal principal, final long nowNanos) {
    final Standing standing = principal == null ? null : principal.standing();
    for (int leg = 0; standing != null && leg < standing.legs(); leg++) {
      final AccountState account = standing.account(leg);
      final LeaseManager manager = accounts.manager(account.id());
      if (manager != null
          && account.policy().status() == AccountStatus.ACTIVE
          && !account.isFundable(nowNanos)) {
        manager.standBy();
      }
    }
  }
}
