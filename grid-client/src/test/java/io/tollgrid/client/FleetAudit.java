package io.tollgrid.client;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.admission.session.Session;
import io.tollgrid.admission.snapshot.Principal;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.admission.snapshot.Standing;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the fleet to its rules: after every event by what each instance has in force, and at each
 * answer, by what the authority and the ledgers say.
 *
 * <p>What is found inside a callback is kept and thrown by {@link #raise}, for callbacks of futures
 * swallow what they are thrown.
 */
final class FleetAudit {
  /** What was last seen of one instance. */
  private static final class Seen {
    final Map<Id128, Long> generations = new HashMap<>();
    final Map<Id128, Long> accounts = new HashMap<>();
    final Set<Id128> revoked = new HashSet<>();
    final Set<Id128> proves = new HashSet<>();
    final Map<Id128, Long> poorSince = new HashMap<>();
    final Map<Id128, Long> wronglyPoorSince = new HashMap<>();
    final Map<Id128, Long> wronglyUnknownSince = new HashMap<>();
    final Map<Id128, Long> unnamedSince = new HashMap<>();
    final Map<Id128, HeldLease> lingering = new HashMap<>();
    final Map<Id128, Long> recallsThen = new HashMap<>();
    final Set<Id128> retired = new HashSet<>();
    long refused;
    long unsafe;
    long moved;
    long recalls;
    long renewals;
    long forfeited;
    boolean wasUnready;
  }

  /** Proofs are dear: they are tried after one event of so many. */
  private static final int CREDENTIALS_EVERY = 4;

  private final FleetWorld world;
  private long events;
  private final Map<FleetNode, Seen> seen = new HashMap<>();
  private @Nullable FleetViolation violation;

  FleetAudit(FleetWorld world) {
    this.world = world;
  }

  long now() {
    return world.now();
  }

  /** Keeps the first rule that was broken. */
  void fail(String rule, String check, String detail) {
    if (violation == null) {
      violation = new FleetViolation(rule, check, detail);
    }
  }

  void raise() {
    if (violation != null) {
      throw violation;
    }
  }

  private void saw(FleetScenario scenario) {
    world.coverage().saw(scenario);
  }

  private Seen of(FleetNode node) {
    return seen.computeIfAbsent(node, it -> new Seen());
  }

  private long lagNanos() {
    return world.isForgetful() ? 0 : FleetScale.LAG_NANOS;
  }

  /** Whether whatever was published before that long ago must be in force here. */
  private boolean isCurrent(FleetNode node, long boundNanos) {
    final long since = now() - boundNanos;
    return node.startedNanos < since
        && node.reader.readsWellSince(since - FleetScale.MAX_BACKOFF_NANOS);
  }

  // After every event

  void afterEvent() {
    for (final FleetNode node : world.nodes()) {
      if (node.instance.fault() != null) {
        fail(
            "R12",
            "no ledger has a complaint about " + node,
            String.valueOf(node.instance.fault()));
      }
      policies(node);
      leases(node);
      if (events % CREDENTIALS_EVERY == 0) {
        credentials(node);
      }
      counters(node);
    }
    events++;
    spending();
    raise();
  }

  private void spending() {
    for (final Id128 account : FleetScale.HOMES) {
      long spent = 0;
      for (final FleetNode node : world.nodes()) {
        spent += node.spentUnits(account);
      }
      for (final FleetNode node : world.gone()) {
        spent += node.spentUnits(account);
      }
      final long cap =
          account.equals(FleetScale.ELASTIC)
              ? FleetScale.OVERAGE_CAP_UNITS * world.instancesEver()
              : 0;
      final long allocated = world.ledger(account).balances().deposited() + cap;
      if (spent > allocated) {
        fail(
            "R1",
            "no more is spent than was allocated",
            account
                + ": "
                + spent
                + " of "
                + allocated
                + ", "
                + world.ledger(account).balances()
                + ", by "
                + spentBy(account));
      }
    }
  }

  private Map<FleetNode, Long> spentBy(Id128 account) {
    final Map<FleetNode, Long> spent = new LinkedHashMap<>();
    world.nodes().forEach(node -> spent.put(node, node.spentUnits(account)));
    world.gone().forEach(node -> spent.put(node, node.spentUnits(account)));
    return spent;
  }

  private void policies(FleetNode node) {
    final Map<Id128, Long> homes = new HashMap<>();
    for (final Id128 id : FleetScale.PRINCIPALS) {
      final Principal known = node.known(id);
      final Standing standing = known == null ? null : known.standing();
      if (standing != null && known != null) {
        inForce(node, id, known, standing);
        final long generation = standing.generation();
        final Long other = homes.put(standing.home().id(), generation);
        if (other != null && other != generation) {
          saw(FleetScenario.SHARED_ACCOUNT_OF_TWO_GENERATIONS);
        }
        if (now() >= known.freshUntilNanos()) {
          saw(FleetScenario.SNAPSHOT_WENT_STALE);
        }
      } else if (known != null && known.isRevoked() && of(node).revoked.add(id)) {
        saw(
            node.heardAtNanos(id) >= world.authority().changedAtNanos(id)
                ? FleetScenario.REVOKED_BY_WORD
                : FleetScenario.REVOKED_BY_REFRESH);
      }
      if (node.tracks(id) && isCurrent(node, FleetScale.REFRESHED_NANOS)) {
        refreshed(node, id, known, standing);
      }
    }
    for (final ManagedAccount account : node.instance.accounts()) {
      accountPolicy(node, account);
    }
  }

  /** What is true of a snapshot in force at any moment, however the authority answers (R37). */
  private void inForce(FleetNode node, Id128 id, Principal known, Standing standing) {
    final long generation = standing.generation();
    final Long before = of(node).generations.put(id, generation);
    final boolean wasRevoked = of(node).revoked.remove(id);
    if (before != null && (generation < before || (wasRevoked && generation == before))) {
      fail(
          "R37",
          "no instance goes back to an older generation",
          node + ", principal " + id + ": " + generation + " after " + before);
    }
    if (wasRevoked) {
      saw(FleetScenario.LET_IN_AGAIN);
    }
    if (standing.plan().current().plan().name().equals(FleetScale.GHOST_PLAN)) {
      fail("R42", "no snapshot without a plan comes into force", node + ", principal " + id);
    }
    final PrincipalPolicy record = world.authority().principal(id);
    final long changed = world.authority().changedAtNanos(id);
    if (record != null
        && record.generation() > generation
        && known.freshUntilNanos() - FleetScale.STALE_NANOS > changed + lagNanos()) {
      fail(
          "R37",
          "what was read after a change is the change",
          node + ", principal " + id + ": " + generation + " counts as read after " + record);
    }
  }

  /** Everything that was published is in force within the refresh interval (R18, R37, R38). */
  private void refreshed(
      FleetNode node, Id128 id, @Nullable Principal known, @Nullable Standing standing) {
    final SimulatedAuthority authority = world.authority();
    final long settledBefore = now() - FleetScale.REFRESHED_NANOS;
    if (authority.changedAtNanos(id) >= settledBefore) {
      return;
    }
    final PrincipalPolicy record = authority.principal(id);
    if (!(record instanceof PrincipalPolicy.Published published)) {
      if (standing != null) {
        fail("R37", "a revocation is in force within the refresh interval", node + ", " + record);
      }
      return;
    }
    if (published.snapshot().plan().equals(FleetScale.GHOST_PLAN)) {
      return;
    }
    if (standing == null
        || known == null
        || standing.generation() != record.generation()
        || now() >= known.freshUntilNanos()) {
      fail(
          "R38",
          "a snapshot is in force within the refresh interval",
          node + ", " + record + " but " + (standing == null ? 0 : standing.generation()));
      return;
    }
    final String name = standing.plan().current().plan().name();
    final Plan plan = authority.plan(name);
    if (plan != null
        && authority.changedAtNanos(name) < settledBefore
        && standing.plan().current().plan().generation() != plan.generation()) {
      fail("R37", "a plan is in force within the refresh interval", node + ", " + plan);
    }
  }

  private void accountPolicy(FleetNode node, ManagedAccount account) {
    final SimulatedAuthority authority = world.authority();
    final AccountPolicy policy = account.policy();
    final AccountPolicy record = authority.account(account.id());
    final Long before = of(node).accounts.put(account.id(), policy.generation());
    if (before != null && policy.generation() < before) {
      fail("R37", "no account goes back to an older policy", node + ", " + account.id());
    }
    if (before != null
        && policy.generation() > before
        && policy.status() == AccountStatus.SUSPENDED) {
      saw(
          node.heardAtNanos(account.id()) >= authority.changedAtNanos(account.id())
              ? FleetScenario.SUSPENDED_BY_WORD
              : FleetScenario.SUSPENDED_BY_REFRESH);
    }
    if (record != null
        && isCurrent(node, FleetScale.REFRESHED_NANOS)
        && authority.changedAtNanos(account.id()) < now() - FleetScale.REFRESHED_NANOS
        && policy.generation() != record.generation()) {
      fail(
          "R18", "an account policy is in force within the refresh interval", node + ", " + record);
    }
  }

  private void leases(FleetNode node) {
    final Set<Id128> home = node.tap.neverCurrentAgain();
    if (!home.isEmpty()) {
      for (final ManagedAccount account : node.instance.accounts()) {
        final var lease =
            node.instance.admission().accounts().find(account.id()).leases().current();
        if (lease != null && home.contains(lease.id())) {
          fail("R35", "no lease whose fold was uncertain is spent again", node + ", " + lease);
        }
      }
    }
    membership(node);
  }

  /** Accounts that nobody names linger, go home, and come back (R36). */
  private void membership(FleetNode node) {
    final Seen last = of(node);
    final Set<Id128> named = new HashSet<>();
    node.instance
        .admission()
        .principals()
        .forEachActive(
            principal -> {
              final Standing standing = principal.standing();
              for (int leg = 0; standing != null && leg < standing.legs(); leg++) {
                named.add(standing.account(leg).id());
              }
            });
    for (final ManagedAccount account : node.instance.accounts()) {
      final Id128 id = account.id();
      final var slot = node.instance.admission().accounts().find(id).leases();
      if (named.contains(id)) {
        final Long since = last.unnamedSince.remove(id);
        if (last.retired.remove(id)) {
          saw(FleetScenario.RETIRED_AND_REJOINED);
        } else if (since != null
            && now() - since > FleetScale.REFRESH_NANOS
            && slot.current() != null) {
          saw(FleetScenario.LINGERED_AND_REJOINED);
        }
        continue;
      }
      final HeldLease lease = slot.current();
      final long since = last.unnamedSince.computeIfAbsent(id, it -> now());
      if (since == now()) {
        last.lingering.remove(id);
        last.recallsThen.put(id, node.instance.refills().recallsAnswered());
        if (lease != null && slot.demandUnits() == 0 && slot.hopelessUnits() == 0) {
          last.lingering.put(id, lease);
        }
      }
      lingers(node, id, since);
      if (slot.current() == null && now() - since > FleetScale.LINGER_NANOS) {
        last.retired.add(id);
      }
      final long longest =
          FleetScale.LINGER_NANOS + 2 * FleetScale.REFRESHED_NANOS + FleetScale.TTL_NANOS;
      if (node.isRunning()
          && now() - since > longest
          && isCurrent(node, longest)
          && slot.current() != null) {
        fail("R36", "an account that nobody names holds no lease for long", node + ", " + id);
      }
    }
  }

  /** What nobody names keeps its lease for a while, if nobody else needs the units (R36). */
  private void lingers(FleetNode node, Id128 account, long sinceNanos) {
    final HeldLease lease = of(node).lingering.get(account);
    if (lease == null) {
      return;
    }
    final var slot = node.instance.admission().accounts().find(account).leases();
    final boolean ending =
        now() > lease.expiresAtNanos() - FleetScale.TTL_NANOS / 2
            || now() - sinceNanos >= FleetScale.LINGER_NANOS
            || !node.isRunning()
            || !world.commandsWellSince(sinceNanos - FleetScale.TTL_NANOS);
    final boolean recalled =
        node.instance.refills().recallsAnswered() > of(node).recallsThen.getOrDefault(account, 0L);
    if (ending || recalled) {
      of(node).lingering.remove(account);
    } else if (slot.current() == null) {
      fail("R36", "an account lingers before its lease goes home", node + ", " + account);
    }
  }

  private void credentials(FleetNode node) {
    try (Session session = node.instance.newSession()) {
      for (final FleetWorld.Issued it : world.credentials()) {
        final boolean proves = session.authenticate(it.token, it.token.length, now());
        final boolean did = of(node).proves.contains(it.keyId);
        if (proves) {
          of(node).proves.add(it.keyId);
          accepted(node, it);
        } else {
          of(node).proves.remove(it.keyId);
          if (did && it.retiredAtNanos <= now()) {
            saw(
                node.heardAtNanos(it.keyId) >= it.retiredAtNanos
                    ? FleetScenario.CREDENTIAL_RETIRED_BY_WORD
                    : FleetScenario.CREDENTIAL_RETIRED_BY_REFRESH);
          } else if (did && it.expiresAtNanos <= now()) {
            saw(FleetScenario.CREDENTIAL_EXPIRED);
          }
          if (it.retiredAtNanos > now()
              && now() < it.expiresAtNanos
              && it.changedAtNanos < now() - FleetScale.REFRESHED_NANOS
              && isCurrent(node, FleetScale.REFRESHED_NANOS)) {
            fail("R44", "a credential is good within the refresh interval", node + ", " + it.keyId);
          }
        }
      }
    }
  }

  /** Word of a retirement has come, and holds whatever is read meanwhile (R44). */
  void staysRetired(FleetNode node, Id128 keyId) {
    if (!node.isAlive()) {
      return;
    }
    try (Session session = node.instance.newSession()) {
      for (final FleetWorld.Issued it : world.credentials()) {
        if (it.keyId.equals(keyId) && session.authenticate(it.token, it.token.length, now())) {
          accepted(node, it);
        }
      }
    }
  }

  void accepted(FleetNode node, FleetWorld.Issued it) {
    if (it.retiredAtNanos > now()) {
      return;
    }
    final long heard = node.heardAtNanos(it.keyId);
    if (heard >= it.retiredAtNanos && heard < now()) {
      fail("R44", "a retired credential is refused from its word on", node + ", " + it.keyId);
    }
    if (isCurrent(node, FleetScale.REFRESHED_NANOS)
        && it.retiredAtNanos < now() - FleetScale.REFRESHED_NANOS) {
      fail(
          "R44",
          "a retired credential is refused within the refresh interval",
          node + ", " + it.keyId);
    }
    if (it.retiredAtNanos + FleetScale.STALE_NANOS < now()) {
      fail("R44", "no retired credential outlives the age of a reading", node + ", " + it.keyId);
    }
  }

  private void counters(FleetNode node) {
    final Seen last = of(node);
    final SnapshotMap principals = node.instance.admission().principals();
    final SnapshotMap.Refusal refusal = principals.lastRefusal();
    if (principals.refusedPublications() > last.refused && refusal != null) {
      saw(
          refusal.why() == Publication.READ_TOO_OLD
              ? FleetScenario.READ_TOO_OLD_REPEATED
              : FleetScenario.OLD_READ_REFUSED);
    }
    last.refused = principals.refusedPublications();
    last.unsafe =
        grown(
            last.unsafe, node.instance.policies().unsafe(), FleetScenario.UNSAFE_SNAPSHOT_REFUSED);
    last.moved =
        grown(
            last.moved,
            node.instance.policies().movedReads(),
            FleetScenario.CREDENTIAL_PAGES_MOVED);
    last.recalls =
        grown(
            last.recalls, node.instance.refills().recallsAnswered(), FleetScenario.RECALL_ANSWERED);
    last.renewals =
        grown(
            last.renewals,
            node.instance.refills().renewals(),
            FleetScenario.WORK_OUTLASTED_ITS_LEASE);
    last.forfeited =
        grown(
            last.forfeited,
            node.instance.refills().forfeitedUnits(),
            FleetScenario.LEASE_ENDED_UNRELEASED);
  }

  private long grown(long before, long now, FleetScenario scenario) {
    if (now > before) {
      saw(scenario);
    }
    return now;
  }

  // After word

  /** What word said is in force a push later, if the authority answers as it should (R18, R37). */
  void afterWord(FleetNode node, Object subject, long heardNanos) {
    final SimulatedAuthority authority = world.authority();
    if (!node.isAlive()
        || node.startedNanos > heardNanos - FleetScale.SECOND
        || authority.changedAtNanos(subject) > heardNanos
        || !node.reader.readsWellSince(heardNanos - 2 * FleetScale.MAX_BACKOFF_NANOS)) {
      return;
    }
    if (subject instanceof String plan) {
      afterPlanWord(node, plan);
      return;
    }
    final Id128 id = (Id128) subject;
    final PrincipalPolicy record = authority.principal(id);
    if (record != null && node.tracks(id)) {
      final Standing standing = node.standing(id);
      if (record instanceof PrincipalPolicy.Revoked && standing != null) {
        fail("R37", "a revocation is in force within a push", node + ", " + record);
      }
      if (record instanceof PrincipalPolicy.Published published
          && !published.snapshot().plan().equals(FleetScale.GHOST_PLAN)
          && (standing == null || standing.generation() != record.generation())) {
        fail("R37", "a publication is in force within a push", node + ", " + record);
      }
    }
    final AccountPolicy policy = authority.account(id);
    if (policy != null) {
      for (final ManagedAccount account : node.instance.accounts()) {
        if (account.id().equals(id) && account.policy().generation() != policy.generation()) {
          fail("R18", "an account policy is in force within a push", node + ", " + policy);
        }
      }
    }
  }

  private void afterPlanWord(FleetNode node, String name) {
    final Plan plan = world.authority().plan(name);
    for (final Id128 id : FleetScale.PRINCIPALS) {
      final Standing standing = node.standing(id);
      if (standing != null
          && standing.plan().current().plan().name().equals(name)
          && plan != null) {
        if (standing.plan().current().plan().generation() != plan.generation()) {
          fail("R37", "a plan is in force within a push", node + ", " + plan);
        }
        saw(FleetScenario.PLAN_CHANGED_BY_WORD);
      }
    }
  }

  // The request path

  void admitted(FleetNode node, Id128 principal, Id128 home) {
    final Seen last = of(node);
    if (last.wronglyUnknownSince.remove(principal) != null) {
      saw(FleetScenario.UNKNOWN_ENDED);
    }
    last.wronglyPoorSince.remove(home);
    final Long poor = last.poorSince.remove(home);
    if (poor != null && world.fundedAtNanos(home) > poor) {
      saw(
          node.heardFundedVersion(home) >= world.fundedVersion(home)
              ? FleetScenario.DEPOSIT_FELT_BY_WORD
              : FleetScenario.DEPOSIT_FELT_BY_POLL);
    }
    final SimulatedAuthority authority = world.authority();
    final long bound = FleetScale.STALE_NANOS + lagNanos();
    if (!(authority.principal(principal) instanceof PrincipalPolicy.Published)
        && now() > authority.changedAtNanos(principal) + bound) {
      fail("R37", "nobody is admitted for long who was revoked", node + ", " + principal);
    }
    if (world.ledger(home).policy().status() == AccountStatus.SUSPENDED
        && now() > authority.changedAtNanos(home) + bound) {
      fail("R18", "nobody is admitted for long on a suspended account", node + ", " + home);
    }
  }

  void denied(
      FleetNode node,
      Id128 principal,
      @Nullable Standing standing,
      AdmissionRequest request,
      Denial denial,
      long items) {
    world.coverage().denied(denial);
    switch (denial) {
      case BALANCE_EXHAUSTED, BALANCE_INSUFFICIENT -> poor(node, standing, request, items);
      case UNKNOWN_PRINCIPAL -> unknown(node, principal);
      case PRINCIPAL_REVOKED -> revoked(node, principal);
      case ACCOUNT_SUSPENDED -> {
        if (standing != null
            && standing.home().policy().status() == AccountStatus.ACTIVE
            && standing.legs() == 1) {
          saw(FleetScenario.SUSPENDED_BY_LEDGER);
        }
      }
      default -> {}
    }
  }

  void notStarted(Denial denial) {
    world.coverage().denied(denial);
  }

  /** A final refusal for want of units is right unless funding came of which nothing is known. */
  private void poor(
      FleetNode node, @Nullable Standing standing, AdmissionRequest request, long items) {
    final var refusing = request.refusingAccount();
    if (standing == null || refusing == null) {
      return;
    }
    final Id128 account = refusing.id();
    final long price =
        standing.plan().current().plan().operations().get(0).prices().get(0).unitsPerItem();
    final long remaining = world.ledger(account).balances().remaining();
    final Seen last = of(node);
    last.poorSince.put(account, now());
    if (items * price > remaining) {
      last.wronglyPoorSince.remove(account);
      return;
    }
    if (node.heardFundedVersion(account) >= world.fundedVersion(account)) {
      fail(
          "R15",
          "a final refusal has evidence",
          node + ", " + account + ": " + items * price + " of " + remaining + " remaining");
    }
    final long since = last.wronglyPoorSince.computeIfAbsent(account, it -> now());
    if (node.isRunning()
        && now() - since > FleetScale.FELT_NANOS
        && world.commandsWellSince(since - FleetScale.FELT_NANOS)) {
      fail("R55", "funding is felt within a backstop", node + ", " + account);
    }
  }

  private void unknown(FleetNode node, Id128 principal) {
    if (principal.equals(Id128.ZERO)) {
      return;
    }
    final SnapshotMap principals = node.instance.admission().principals();
    if (node.tracks(principal) && !principals.isNegative(principal)) {
      final long asked = now();
      world.time().after(FleetScale.PUSH_NANOS, () -> wasLookedUp(node, principal, asked));
    }
    if (!(world.authority().principal(principal) instanceof PrincipalPolicy.Published published)
        || published.snapshot().plan().equals(FleetScale.GHOST_PLAN)
        || !node.tracks(principal)) {
      return;
    }
    final long since = of(node).wronglyUnknownSince.computeIfAbsent(principal, it -> now());
    final long begun = Math.max(since, world.authority().changedAtNanos(principal));
    final long bound = FleetScale.SECOND + FleetScale.PUSH_NANOS;
    if (now() - begun > bound && isCurrent(node, bound)) {
      fail("R38", "\"unknown\" is believed for its time and no longer", node + ", " + principal);
    }
  }

  /** Whom a request asked for in vain the authority is asked about (R38). */
  private void wasLookedUp(FleetNode node, Id128 principal, long askedNanos) {
    if (node.isAlive()
        && node.standing(principal) == null
        && node.reader.askedAboutNanos(principal) < askedNanos
        && node.startedNanos < askedNanos - FleetScale.SECOND
        && node.reader.readsWellSince(askedNanos - 2 * FleetScale.MAX_BACKOFF_NANOS)) {
      fail("R38", "who is asked for in vain is looked up", node + ", " + principal);
    }
  }

  private void revoked(FleetNode node, Id128 principal) {
    final long bound = 3 * FleetScale.SECOND + FleetScale.PUSH_NANOS;
    if (world.authority().principal(principal) instanceof PrincipalPolicy.Published published
        && !published.snapshot().plan().equals(FleetScale.GHOST_PLAN)
        && node.tracks(principal)
        && now() - world.authority().changedAtNanos(principal) > bound
        && isCurrent(node, bound)) {
      fail("R38", "\"revoked\" is believed for its time and no longer", node + ", " + principal);
    }
  }

  /**
   * Ready means that somebody is admitted now; not ready for want of them, that nobody is (R39).
   */
  void probe(FleetNode node) {
    final Readiness readiness = node.instance.readiness(node.tracked, now());
    final Seen last = of(node);
    boolean some = false;
    boolean every = true;
    boolean busy = false;
    final List<Denial> denials = new ArrayList<>();
    for (final Id128 id : FleetScale.PRINCIPALS) {
      if (!node.tracks(id)) {
        continue;
      }
      final Denial denial = node.probe(id);
      some |= denial == null;
      if (denial != null) {
        denials.add(denial);
      }
      every &= denial == null;
      busy |=
          denial == Denial.ACCOUNT_CONCURRENCY
              || denial == Denial.PRINCIPAL_CONCURRENCY
              || denial == Denial.USAGE_QUEUE_FULL
              || denial == Denial.INSUFFICIENT_LEASE
              || denial == Denial.BALANCE_INSUFFICIENT
              || denial == Denial.BALANCE_EXHAUSTED
              || denial == Denial.OVERAGE_EXHAUSTED
              || denial == Denial.OVERAGE_TEMPORARILY_EXHAUSTED;
    }
    final boolean enough = node.tracked instanceof Tracked.Fixed ? every : some;
    if (readiness.isReady() && readiness.tracked() > 0 && !enough && !busy) {
      fail("R39", "ready means admissible now", node + ": " + readiness + " but " + denials);
    }
    if (enough && readiness.reasons().contains(Readiness.Reason.NOT_ADMISSIBLE)) {
      fail("R39", "whoever admits is ready", node + ": " + readiness);
    }
    if (readiness.reasons().contains(Readiness.Reason.POLICIES_UNREAD)) {
      saw(FleetScenario.NOT_READY_UNREAD);
    }
    if (readiness.reasons().contains(Readiness.Reason.NOT_ADMISSIBLE)) {
      saw(FleetScenario.NOT_READY_NOT_ADMISSIBLE);
    }
    if (readiness.isReady() && last.wasUnready) {
      saw(FleetScenario.READY_AGAIN);
    }
    last.wasUnready = !readiness.isReady();
  }

  // Ledgers

  void refusedByLedger(LedgerRequest request, Outcome.Refused refused) {
    if (refused.reason() == Refusal.EXPIRED
        && request.command() instanceof LedgerCommand.LeaseCommand) {
      saw(FleetScenario.LATE_ATTEMPT_EXPIRED);
    }
  }

  /** A lease that nobody brought home was of a holder that is gone, or cut off (R35). */
  void beforeReclaim(AccountLedger ledger) {
    final long dueNanos = now() - FleetScale.GRACE_NANOS;
    for (final Lease lease : ledger.active()) {
      if (lease.expiresAtNanos() > dueNanos
          || !world.commandsWellSince(lease.expiresAtNanos() - 2 * FleetScale.TTL_NANOS)) {
        continue;
      }
      for (final FleetNode node : world.nodes()) {
        if (node.isRunning() && lease.holder().equals(node.instance.holder())) {
          fail("R35", "a lease leaves the books only by release or by report", node + ", " + lease);
        }
      }
    }
  }

  void reclaimed(Outcome outcome) {
    if (outcome instanceof Outcome.Reclaimed reclaimed && reclaimed.leases() > 0) {
      saw(FleetScenario.CRASHED_LEASE_RECLAIMED);
    }
  }

  // Ends

  /** A report adds up: every event is recorded, lost, unresolved or refused (R22, R41). */
  void stopped(FleetNode node, ShutdownReport report, long deadlineNanos) {
    if (now() > deadlineNanos) {
      fail("R41", "a shutdown ends within its deadline", node + ", " + report);
    }
    final long reported = report.lostUnits() + report.unresolvedUnits() + report.refusedUnits();
    if (node.eventUnits() != node.tap.acknowledgedUnits() + reported) {
      fail(
          "R41",
          "a report accounts for every unit",
          node
              + ": "
              + node.eventUnits()
              + " committed, "
              + node.tap.acknowledgedUnits()
              + " recorded, "
              + report);
    }
    if (report.abandonedLeases() == 0 && report.uncertainCommands() == 0) {
      for (final Id128 account : FleetScale.ACCOUNTS) {
        world.ledger(account).active().stream()
            .filter(lease -> lease.holder().equals(node.instance.holder()))
            .forEach(
                lease -> fail("R41", "a lease that is not reported is home", node + ", " + lease));
      }
    }
    if (report.abandonedRequests() > 0) {
      saw(FleetScenario.ABANDONED_AT_SHUTDOWN);
    }
    saw(report.isClean() ? FleetScenario.SHUTDOWN_CLEAN : FleetScenario.SHUTDOWN_LEFT_SOMETHING);
  }

  /** At the end: books balance, and what was acknowledged is recorded, once (R10, R20). */
  void atTheEnd() {
    for (final Id128 account : FleetScale.ACCOUNTS) {
      final List<String> disagreements = world.ledgers().store().verify(account);
      if (!disagreements.isEmpty()) {
        fail("R10", "the books balance", account + ": " + disagreements);
      }
      final var balances = world.ledger(account).balances();
      if (balances.outstanding() != 0) {
        fail("R12", "nothing stays out", account + ": " + balances);
      }
      final Map<RowKey.UsageKey, Long> rows = new HashMap<>();
      world
          .ledgers()
          .store()
          .usage(account)
          .forEach(
              entry -> {
                final var event = entry.event();
                final var key = new RowKey.UsageKey(event.requestId(), event.part());
                if (rows.put(key, event.units()) != null) {
                  fail("R20", "no event is recorded twice", account + ": " + event);
                }
              });
      for (final FleetNode node : world.gone()) {
        node.tap
            .acknowledged()
            .getOrDefault(account, Map.of())
            .forEach(
                (key, units) -> {
                  if (!units.equals(rows.get(key))) {
                    fail("R20", "what was acknowledged is recorded", account + ": " + key);
                  }
                });
      }
      if (!world.ledgers().store().rejected(account).isEmpty()) {
        fail(
            "R20",
            "no usage is rejected",
            account + ": " + world.ledgers().store().rejected(account));
      }
    }
    raise();
  }
}
