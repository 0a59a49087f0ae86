package io.tollgrid.client;

import io.tollgrid.admission.snapshot.Principal;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.admission.snapshot.Standing;
import io.tollgrid.ledger.Id128;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts who could be admitted at one moment. */
final class ReadinessProbe {
  private final long nowNanos;
  private int tracked;
  private int fresh;
  private int admissible;

  private ReadinessProbe(final long nowNanos) {
    this.nowNanos = nowNanos;
  }

  /**
   * Looks at everybody that is tracked.
   *
   * @param reasons other reasons, to which the missing funds are added
   */
  static Readiness of(
      final SnapshotMap principals,
      final Tracked tracked,
      final Set<Readiness.Reason> reasons,
      final long nowNanos) {
    final ReadinessProbe probe = new ReadinessProbe(nowNanos);
    final boolean enough;
    if (tracked instanceof Tracked.Fixed fixed) {
      for (final Id128 principal : fixed.principals()) {
        probe.look(principals.find(principal.high(), principal.low()));
      }
      enough = probe.admissible == probe.tracked;
    } else {
      principals.forEachActive(probe::look);
      enough = probe.tracked == 0 || probe.admissible > 0;
    }
    if (!enough) {
      reasons.add(Readiness.Reason.NOT_ADMISSIBLE);
    }
    return new Readiness(reasons, probe.tracked, probe.fresh, probe.admissible);
  }

  private void look(final @Nullable Principal principal) {
    tracked++;
    final State state = principal == null ? State.STALE : stateOf(principal, nowNanos);
    fresh += state == State.STALE ? 0 : 1;
    admissible += state == State.ADMISSIBLE ? 1 : 0;
  }

  private enum State {
    STALE,
    FRESH,
    ADMISSIBLE
  }

  /** Whether a request of the principal could be admitted now, however small. */
  static boolean isAdmissible(final Principal principal, final long nowNanos) {
    return stateOf(principal, nowNanos) == State.ADMISSIBLE;
  }

  private static State stateOf(final Principal principal, final long nowNanos) {
    // As a request does: the time first, so that a newer snapshot's is never taken for an older's.
    final long freshUntil = principal.freshUntilNanos();
    final Standing standing = principal.standing();
    if (standing == null || nowNanos >= freshUntil) {
      return State.STALE;
    }
    for (int leg = 0; leg < standing.legs(); leg++) {
      if (!standing.account(leg).isFundable(nowNanos)) {
        return State.FRESH;
      }
    }
    return State.ADMISSIBLE;
  }
}
