package io.tollgrid.admission.snapshot;

import io.tollgrid.admission.account.AccountRegistry;
import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.plan.Catalogue;
import io.tollgrid.admission.plan.PublishedPlan;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The principals a process knows, and what became of those it knows no more.
 *
 * <p>{@link #find} is for requests. All else is for the one who keeps the map current; its methods
 * are serialized, and none of them waits for anything.
 */
public final class SnapshotMap {
  /**
   * A publication that was refused for its generation.
   *
   * @param why OLDER, REVOKED or READ_TOO_OLD
   * @param principal whose it was, {@link Id128#ZERO} for a plan
   * @param knownGeneration what it was judged by, 0 if nothing was known
   * @param offeredGeneration its own, 0 if it has none
   */
  public record Refusal(
      Publication why, Id128 principal, long knownGeneration, long offeredGeneration) {}

  /*
   * Design.
   *
   * A principal is, to this map, one of:
   *   active    it has a standing;
   *   negative  the source said "unknown" or "revoked", until a time, or longer if nobody asks again;
   *   history   it was forgotten, and only its watermark is kept;
   *   nothing   it never came, or its history was given up.
   *
   * Generations (R37). Whatever is published is judged by its generation before anything is derived from it. A revocation
   * refuses its own generation back; an absence does not, for an absent principal may be assigned again unchanged.
   *
   * Where no generation is known, an old push cannot be told from a new one. So a push is only a hint there, and what is
   * read from the source is believed if the read began after the last history was given up: a read that began before
   * could carry what that history would have refused. "Unknown" has no generation; so it is believed of a principal of which
   * nothing was learnt since the read began, or a late answer would displace a newer snapshot.
   */
  private final Catalogue catalogue;
  private final AccountRegistry accounts;
  private final SnapshotMapLimits limits;
  private final PrincipalTable table = new PrincipalTable();
  private final Map<String, PublishedPlan> plans = new HashMap<>();

  /** Negatives by the end of their answers. */
  private final TreeSet<Principal> negatives =
      new TreeSet<>(
          Comparator.comparingLong((Principal principal) -> principal.negativeUntilNanos)
              .thenComparing(Principal::id));

  /** Principals of which only the watermark is left, longest forgotten first. */
  private final Set<Principal> history = new LinkedHashSet<>();

  /** How many have a standing. */
  private int active;

  /** How many changes there were; every change of a principal is numbered by it. */
  private long changes;

  /** The number of the last change that gave history up. */
  private long givenUpAt;

  private long refused;
  private @Nullable Refusal lastRefusal;

  /** A map that resolves accounts and names by these. */
  public SnapshotMap(
      final Catalogue catalogue, final AccountRegistry accounts, final SnapshotMapLimits limits) {
    this.catalogue = catalogue;
    this.accounts = accounts;
    this.limits = limits;
  }

  // For requests

  /** The principal, or null if nothing was ever heard of it, or nothing is remembered. */
  public @Nullable Principal find(final long high, final long low) {
    return table.find(high, low);
  }

  // For the one who keeps it current

  /**
   * Publishes a plan: a new one, or a newer generation.
   *
   * @return ACCEPTED; CONFIRMED if this generation is in force already; OLDER
   */
  public synchronized Publication publish(final Plan plan) {
    final PublishedPlan known = plans.get(plan.name());
    if (known == null) {
      plans.put(plan.name(), new PublishedPlan(plan, catalogue));
      return Publication.ACCEPTED;
    }
    if (plan.generation() == known.current().plan().generation()) {
      return Publication.CONFIRMED;
    }
    if (plan.generation() < known.current().plan().generation()) {
      return refused(
          Publication.OLDER, Id128.ZERO, known.current().plan().generation(), plan.generation());
    }
    final PublishedPlan.Compiled next = new PublishedPlan(plan, catalogue).current();
    forEachActive(
        principal -> {
          final Standing standing = principal.standing();
          if (standing != null && standing.plan() == known) {
            mayBeQuoted(standing, next);
          }
        });
    known.publish(plan);
    return Publication.ACCEPTED;
  }

  /** Limiters hold the largest quote before a request can ask for it (R29). */
  private static void mayBeQuoted(final Standing standing, final PublishedPlan.Compiled plan) {
    for (int leg = 0; leg < standing.legs(); leg++) {
      standing.account(leg).mayBeQuoted(plan.largestQuoteUnits(standing.meterSet(leg)));
    }
  }

  /** To be taken before a read of the source begins, and handed in with what it answers. */
  public synchronized long readEpoch() {
    return changes;
  }

  /**
   * Takes in what the source answered to a read.
   *
   * @param snapshot the principal's snapshot
   * @param freshUntilNanos first instant at which it is stale
   * @param epoch what {@link #readEpoch} said before the read
   * @throws RefusedSnapshotException if it must not come into force; nothing changed
   */
  public synchronized Publication resolved(
      final PrincipalSnapshot snapshot, final long freshUntilNanos, final long epoch) {
    final Id128 id = snapshot.principal();
    final Principal known = table.find(id.high(), id.low());
    if (!hasWatermark(known) && epoch < givenUpAt) {
      return refused(Publication.READ_TOO_OLD, id, 0, snapshot.generation());
    }
    return judge(snapshot, known, freshUntilNanos);
  }

  /**
   * Takes in what was pushed.
   *
   * @throws RefusedSnapshotException if it must not come into force; nothing changed
   */
  public synchronized Publication pushed(
      final PrincipalSnapshot snapshot, final long freshUntilNanos) {
    final Id128 id = snapshot.principal();
    final Principal known = table.find(id.high(), id.low());
    if (known == null || history.contains(known) || !hasWatermark(known)) {
      return Publication.UNRESOLVED;
    }
    return judge(snapshot, known, freshUntilNanos);
  }

  /**
   * The principal was revoked.
   *
   * @param generation of the revocation, 1 or more: it, and all before it, never come back
   * @param nowNanos the time
   * @param epoch what {@link #readEpoch} said before the read
   * @return ACCEPTED; CONFIRMED if it is known, and believed anew; OLDER; READ_TOO_OLD
   */
  public synchronized Publication revoked(
      final Id128 id, final long generation, final long nowNanos, final long epoch) {
    if (generation < 1) {
      throw new IllegalArgumentException(
          "a revocation of principal " + id + " cannot have generation " + generation);
    }
    final Principal known = table.find(id.high(), id.low());
    if (!hasWatermark(known) && epoch < givenUpAt) {
      return refused(Publication.READ_TOO_OLD, id, 0, generation);
    }
    if (known != null && generation < known.watermark) {
      return refused(Publication.OLDER, id, known.watermark, generation);
    }
    final Principal principal = known == null ? remember(id) : known;
    final boolean again = generation == principal.tombstone;
    principal.watermark = generation;
    principal.tombstone = generation;
    becomeNegative(principal, true, Math.addExact(nowNanos, limits.revokedTtlNanos()));
    return again ? Publication.CONFIRMED : Publication.ACCEPTED;
  }

  /**
   * The source does not know the principal. One that was revoked stays so, and is asked about as
   * soon as one that is unknown.
   *
   * @param epoch what {@link #readEpoch} said before the read
   * @return ACCEPTED; READ_TOO_OLD if something was learnt of the principal since the read began
   */
  public synchronized Publication unknown(final Id128 id, final long nowNanos, final long epoch) {
    final Principal known = table.find(id.high(), id.low());
    if (epoch < (known == null ? givenUpAt : known.changedAt)) {
      return refused(Publication.READ_TOO_OLD, id, known == null ? 0 : known.watermark, 0);
    }
    final Principal principal = known == null ? remember(id) : known;
    final boolean revoked = principal.tombstone > 0 && principal.tombstone == principal.watermark;
    becomeNegative(principal, revoked, Math.addExact(nowNanos, limits.unknownTtlNanos()));
    return Publication.ACCEPTED;
  }

  /** Forgets a principal that nobody asked for in a long time; its watermark is kept. */
  public synchronized void evict(final Id128 id) {
    final Principal principal = table.find(id.high(), id.low());
    if (principal != null) {
      forget(principal);
    }
  }

  /**
   * The negative answers that have run out: to be read again. Each is named once per answer; the
   * principal stays denied meanwhile.
   */
  public synchronized List<Id128> expired(final long nowNanos) {
    final List<Id128> due = new ArrayList<>();
    while (!negatives.isEmpty() && negatives.first().negativeUntilNanos <= nowNanos) {
      final Principal principal = negatives.first();
      due.add(principal.id());
      forget(principal);
    }
    return due;
  }

  /** When the first negative answer runs out, epoch nanoseconds; {@code Long.MAX_VALUE} if none. */
  public synchronized long nextExpiryNanos() {
    return negatives.isEmpty() ? Long.MAX_VALUE : negatives.first().negativeUntilNanos;
  }

  /** Whether the source said of this principal that it is unknown or revoked, and is believed. */
  public synchronized boolean isNegative(final Id128 id) {
    final Principal known = table.find(id.high(), id.low());
    return known != null && known.negativeUntilNanos > 0;
  }

  /** Whether a plan of this name is in force. */
  public synchronized boolean hasPlan(final String name) {
    return plans.containsKey(name);
  }

  /** Everyone whose answer could have been missed: after lost pushes, to be read again. */
  public synchronized List<Id128> all() {
    final List<Id128> all = new ArrayList<>(active + negatives.size());
    forEachActive(principal -> all.add(principal.id()));
    negatives.forEach(principal -> all.add(principal.id()));
    return all;
  }

  /** Those with a snapshot that is stale at {@code nowNanos}; negatives do not count. */
  public synchronized List<Id128> stale(final long nowNanos) {
    final List<Id128> stale = new ArrayList<>();
    forEachActive(
        principal -> {
          if (principal.freshUntilNanos() <= nowNanos) {
            stale.add(principal.id());
          }
        });
    return stale;
  }

  /** Shows every principal with a snapshot; the map stands still meanwhile. */
  public synchronized void forEachActive(final Consumer<Principal> to) {
    final var unused =
        anyActive(
            principal -> {
              to.accept(principal);
              return false;
            });
  }

  /** Whether {@code test} holds for a principal with a snapshot; the map stands still meanwhile. */
  public synchronized boolean anyActive(final Predicate<Principal> test) {
    return table.any(principal -> principal.standing() != null && test.test(principal));
  }

  /** Principals with a snapshot. */
  public synchronized int activePrincipals() {
    return active;
  }

  /** Principals with a negative answer. */
  public synchronized int negativePrincipals() {
    return negatives.size();
  }

  /** Principals of which only the watermark is left. */
  public synchronized int forgottenPrincipals() {
    return history.size();
  }

  /** Publications refused for their generation. */
  public synchronized long refusedPublications() {
    return refused;
  }

  /** The last of them, or null if there was none. */
  public synchronized @Nullable Refusal lastRefusal() {
    return lastRefusal;
  }

  private Publication judge(
      final PrincipalSnapshot snapshot,
      final @Nullable Principal known,
      final long freshUntilNanos) {
    if (known != null) {
      if (snapshot.generation() <= known.tombstone) {
        return refused(Publication.REVOKED, known.id(), known.tombstone, snapshot.generation());
      }
      if (snapshot.generation() < known.watermark) {
        return refused(Publication.OLDER, known.id(), known.watermark, snapshot.generation());
      }
      final Standing standing = known.standing();
      if (standing != null && standing.generation() == snapshot.generation()) {
        known.confirm(freshUntilNanos);
        known.changedAt = ++changes;
        return Publication.CONFIRMED;
      }
    }
    final Standing next = resolve(snapshot);
    final Principal principal = known == null ? remember(snapshot.principal()) : known;
    negatives.remove(principal);
    history.remove(principal);
    active += principal.standing() == null ? 1 : 0;
    principal.negativeUntilNanos = 0;
    principal.changedAt = ++changes;
    principal.watermark = snapshot.generation();
    mayBeQuoted(next, next.plan().current());
    principal.accept(next, snapshot.concurrencyCeiling(), freshUntilNanos);
    return Publication.ACCEPTED;
  }

  /** Resolves names, merges legs to one per account, and refuses what is unsafe (R8, R42). */
  private Standing resolve(final PrincipalSnapshot snapshot) {
    final PublishedPlan plan = plans.get(snapshot.plan());
    if (plan == null) {
      throw new RefusedSnapshotException(
          snapshot, "plan: there is no plan " + snapshot.plan() + " here");
    }
    final Map<Id128, Long> meterSets = SnapshotRules.meterSets(snapshot, catalogue);
    final AccountState[] legs = new AccountState[meterSets.size()];
    final long[] sets = new long[legs.length];
    final Map<Id128, AccountPolicy> policies = new HashMap<>();
    int leg = 0;
    for (final Map.Entry<Id128, Long> entry : meterSets.entrySet()) {
      final AccountState account = accounts.find(entry.getKey());
      if (account == null) {
        throw new RefusedSnapshotException(
            snapshot, "legs: account " + entry.getKey() + " is not open here");
      }
      policies.put(account.id(), account.policy());
      legs[leg] = account;
      sets[leg] = entry.getValue();
      leg++;
    }
    final String refusal = SnapshotRules.refusal(snapshot, plan.current(), meterSets, policies);
    if (refusal != null) {
      throw new RefusedSnapshotException(snapshot, refusal);
    }
    return new Standing(snapshot.generation(), plan, legs, sets);
  }

  /** Whether a generation of it is known: the source may have said only that it is unknown. */
  private static boolean hasWatermark(final @Nullable Principal known) {
    return known != null && known.watermark > 0;
  }

  private Principal remember(final Id128 id) {
    final Principal principal = new Principal(id);
    table.add(principal);
    return principal;
  }

  private void becomeNegative(
      final Principal principal, final boolean revoked, final long untilNanos) {
    negatives.remove(principal);
    history.remove(principal);
    lose(principal, revoked);
    principal.negativeUntilNanos = untilNanos;
    principal.changedAt = ++changes;
    negatives.add(principal);
    while (negatives.size() > limits.maxNegatives()) {
      forget(negatives.first());
    }
  }

  private void lose(final Principal principal, final boolean byRevocation) {
    active -= principal.standing() == null ? 0 : 1;
    principal.lose(byRevocation);
  }

  private void forget(final Principal principal) {
    negatives.remove(principal);
    principal.negativeUntilNanos = 0;
    lose(principal, principal.isRevoked());
    history.remove(principal);
    history.add(principal);
    final var oldest = history.iterator();
    for (int surplus = history.size() - limits.maxForgotten(); surplus > 0 && oldest.hasNext(); ) {
      final Principal given = oldest.next();
      // Whoever still runs would be counted anew after a return (R30).
      if (given.gauge().running() == 0) {
        oldest.remove();
        table.remove(given);
        givenUpAt = ++changes;
        surplus--;
      }
    }
  }

  private Publication refused(
      final Publication why, final Id128 principal, final long known, final long offered) {
    refused++;
    lastRefusal = new Refusal(why, principal, known, offered);
    return why;
  }
}
