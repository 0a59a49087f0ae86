package io.tollgrid.admission.snapshot;

import static io.tollgrid.admission.snapshot.TestMap.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Witnesses R37 and R38: the map against a plain model, over any order of what can happen. */
class SnapshotMapProperties {
  private static final int NEGATIVES = 2;
  private static final int FORGOTTEN = 1;

  /** What can happen to a principal. */
  enum Event {
    RESOLVED,
    RESOLVED_LATE,
    PUSHED,
    REVOKED,
    REVOKED_LATE,
    UNKNOWN,
    UNKNOWN_LATE,
    EVICTED,
    EXPIRED
  }

  /**
   * One thing that happens.
   *
   * @param event what
   * @param principal to whom
   * @param generation of what is published
   * @param passing time that passes before it
   */
  record Step(Event event, int principal, long generation, int passing) {
    Id128 id() {
      return new Id128(7, principal);
    }
  }

  private enum Kind {
    ACTIVE,
    NEGATIVE,
    HISTORY
  }

  /** One principal of the model. */
  private static final class Known {
    private final Id128 id;
    private Kind kind = Kind.HISTORY;
    private long watermark;
    private long tombstone;
    private boolean revoked;
    private long until;
    private long order;

    Known(final Id128 id) {
      this.id = id;
    }
  }

  /** The rules, told plainly. */
  private static final class Model {
    private final Map<Id128, Known> known = new HashMap<>();
    private long order;
    private long epoch;
    private long refused;

    Publication published(final Id128 id, final long generation, final boolean push) {
      final Known now = known.get(id);
      if (push && (now == null || now.kind == Kind.HISTORY || now.watermark == 0)) {
        return Publication.UNRESOLVED;
      }
      if (now != null && generation <= now.tombstone) {
        return refused(Publication.REVOKED);
      }
      if (now != null && generation < now.watermark) {
        return refused(Publication.OLDER);
      }
      if (now != null && now.kind == Kind.ACTIVE && generation == now.watermark) {
        return Publication.CONFIRMED;
      }
      final Known next = known.computeIfAbsent(id, Known::new);
      next.kind = Kind.ACTIVE;
      next.watermark = generation;
      next.revoked = false;
      return Publication.ACCEPTED;
    }

    Publication revoked(final Id128 id, final long generation, final long now) {
      final Known next = known.computeIfAbsent(id, Known::new);
      if (generation < next.watermark) {
        return refused(Publication.OLDER);
      }
      final boolean again = generation == next.tombstone;
      next.watermark = generation;
      next.tombstone = generation;
      negative(next, true, now + TestMap.REVOKED_TTL);
      return again ? Publication.CONFIRMED : Publication.ACCEPTED;
    }

    Publication unknown(final Id128 id, final long now) {
      final Known next = known.computeIfAbsent(id, Known::new);
      final boolean revoked = next.tombstone > 0 && next.tombstone == next.watermark;
      negative(next, revoked, now + TestMap.UNKNOWN_TTL);
      return Publication.ACCEPTED;
    }

    boolean hasWatermark(final Id128 id) {
      final Known now = known.get(id);
      return now != null && now.watermark > 0;
    }

    Publication refused(final Publication publication) {
      refused++;
      return publication;
    }

    private void negative(final Known next, final boolean revoked, final long until) {
      next.kind = Kind.NEGATIVE;
      next.revoked = revoked;
      next.until = until;
      if (all(Kind.NEGATIVE).size() > NEGATIVES) {
        forget(negatives().get(0));
      }
    }

    void forget(final Known gone) {
      gone.kind = Kind.HISTORY;
      gone.order = ++order;
      final List<Known> history = all(Kind.HISTORY);
      history.sort(Comparator.comparingLong(one -> one.order));
      for (int i = 0; i < history.size() - FORGOTTEN; i++) {
        known.remove(history.get(i).id);
        epoch++;
      }
    }

    List<Id128> expired(final long now) {
      final List<Id128> due = new ArrayList<>();
      for (final Known one : negatives()) {
        if (one.until <= now) {
          due.add(one.id);
          forget(one);
        }
      }
      return due;
    }

    List<Known> negatives() {
      final List<Known> negatives = all(Kind.NEGATIVE);
      negatives.sort(
          Comparator.comparingLong((Known one) -> one.until).thenComparing(one -> one.id));
      return negatives;
    }

    List<Known> all(final Kind kind) {
      return new ArrayList<>(known.values().stream().filter(one -> one.kind == kind).toList());
    }
  }

  @Property(tries = 2_000)
  void theMapFollowsTheRules(@ForAll("steps") final List<Step> steps) {
    final TestMap test = new TestMap(NEGATIVES, FORGOTTEN);
    final SnapshotMap map = test.map;
    final Model model = new Model();
    final long firstEpoch = map.readEpoch();
    long now = 1;
    for (final Step step : steps) {
      now += step.passing();
      final Id128 id = step.id();
      final boolean tooOld = !model.hasWatermark(id) && model.epoch > 0;
      switch (step.event()) {
        case RESOLVED ->
            assertThat(map.resolved(snapshot(id, step.generation()), now, map.readEpoch()))
                .isEqualTo(model.published(id, step.generation(), false));
        case RESOLVED_LATE ->
            assertThat(map.resolved(snapshot(id, step.generation()), now, firstEpoch))
                .isEqualTo(
                    tooOld
                        ? model.refused(Publication.READ_TOO_OLD)
                        : model.published(id, step.generation(), false));
        case PUSHED ->
            assertThat(map.pushed(snapshot(id, step.generation()), now))
                .isEqualTo(model.published(id, step.generation(), true));
        case REVOKED ->
            assertThat(map.revoked(id, step.generation(), now, map.readEpoch()))
                .isEqualTo(model.revoked(id, step.generation(), now));
        case REVOKED_LATE ->
            assertThat(map.revoked(id, step.generation(), now, firstEpoch))
                .isEqualTo(
                    tooOld
                        ? model.refused(Publication.READ_TOO_OLD)
                        : model.revoked(id, step.generation(), now));
        case UNKNOWN ->
            assertThat(map.unknown(id, now, map.readEpoch())).isEqualTo(model.unknown(id, now));
        case UNKNOWN_LATE ->
            assertThat(map.unknown(id, now, firstEpoch))
                .isEqualTo(
                    tooOld || model.known.containsKey(id)
                        ? model.refused(Publication.READ_TOO_OLD)
                        : model.unknown(id, now));
        case EVICTED -> {
          map.evict(id);
          if (model.known.containsKey(id)) {
            model.forget(model.known.get(id));
          }
        }
        case EXPIRED -> assertThat(map.expired(now)).isEqualTo(model.expired(now));
      }
      assertSame(test, model);
    }
  }

  private static void assertSame(final TestMap test, final Model model) {
    final SnapshotMap map = test.map;
    for (int n = 0; n < 5; n++) {
      final Id128 id = new Id128(7, n);
      final Principal principal = test.find(id);
      final Known known = model.known.get(id);
      assertThat(principal == null).isEqualTo(known == null);
      if (principal != null && known != null) {
        final Standing standing = principal.standing();
        assertThat(principal.isRevoked()).isEqualTo(known.revoked);
        assertThat(standing != null).isEqualTo(known.kind == Kind.ACTIVE);
        if (standing != null) {
          assertThat(standing.generation()).isEqualTo(known.watermark);
        }
      }
    }
    assertThat(map.activePrincipals()).isEqualTo(model.all(Kind.ACTIVE).size());
    assertThat(map.negativePrincipals()).isEqualTo(model.all(Kind.NEGATIVE).size());
    assertThat(map.forgottenPrincipals()).isEqualTo(model.all(Kind.HISTORY).size());
    assertThat(map.refusedPublications()).isEqualTo(model.refused);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.of(Event.class),
            Arbitraries.integers().between(0, 4),
            Arbitraries.longs().between(1, 4),
            Arbitraries.of(0, 0, 1, 5, 60))
        .as(Step::new)
        .list()
        .ofMaxSize(60);
  }
}
