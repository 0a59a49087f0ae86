package io.tollgrid.admission.request;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.PublishedPlan;
import io.tollgrid.admission.plan.Route;
import io.tollgrid.admission.snapshot.Principal;
import io.tollgrid.admission.snapshot.Standing;
import io.tollgrid.ledger.Id128;
import org.jspecify.annotations.Nullable;

/**
 * What a request pinned when it began, so that everything after it is judged by one snapshot (R28).
 * Reused; for one thread.
 */
final class Pinned {
  private @Nullable Principal principal;
  private @Nullable Standing standing;
  private PublishedPlan.@Nullable Compiled plan;
  private long freshUntilNanos;
  private Id128 keyId = Id128.ZERO;

  /**
   * Pins what is in force for a principal, unless it may not begin.
   *
   * @param found what the map knows, null for nothing
   * @param key the credential that asked, {@link Id128#ZERO} for none
   */
  @Nullable Denial pin(
      final @Nullable Principal found,
      final Id128 key,
      final @Nullable Route route,
      final long nowNanos,
      final LastDenial last) {
    // Before the standing, so that a newer snapshot's time is never taken for an older one's.
    final long freshUntil = found == null ? 0 : found.freshUntilNanos();
    final Standing inForce = found == null ? null : found.standing();
    if (found == null || inForce == null) {
      return found != null && found.isRevoked()
          ? Denial.PRINCIPAL_REVOKED
          : Denial.UNKNOWN_PRINCIPAL;
    }
    for (int leg = 0; leg < inForce.legs(); leg++) {
      final Denial closed = inForce.account(leg).closedTo(nowNanos);
      if (closed != null) {
        return last.note(closed, leg, inForce.account(leg), 0);
      }
    }
    if (nowNanos >= freshUntil) {
      return Denial.SNAPSHOT_STALE;
    }
    final PublishedPlan.Compiled prices = inForce.plan().current();
    if (route != null && !prices.allows(route)) {
      return Denial.ROUTE_FORBIDDEN;
    }
    if (principal != found) {
      principal = found;
    }
    if (standing != inForce) {
      standing = inForce;
    }
    if (plan != prices) {
      plan = prices;
    }
    if (!keyId.equals(key)) {
      keyId = key;
    }
    freshUntilNanos = freshUntil;
    return null;
  }

  boolean isStale(final long nowNanos) {
    return nowNanos >= freshUntilNanos;
  }

  Principal principal() {
    return present(principal);
  }

  Standing standing() {
    return present(standing);
  }

  PublishedPlan.Compiled plan() {
    return present(plan);
  }

  Id128 keyId() {
    return keyId;
  }

  private static <T> T present(final @Nullable T pinned) {
    if (pinned == null) {
      throw new IllegalStateException("nothing is pinned: call begin() first");
    }
    return pinned;
  }
}
