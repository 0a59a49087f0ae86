package io.tollgrid.client;

import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.Admission;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.session.Session;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.PolicySource;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.ledger.port.IdSource;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance without a thread and without a clock: admission, a lease manager per account and the
 * usage writer, driven by whoever calls {@link #run}.
 *
 * <p>{@link InstanceRuntime} drives one with a thread of its own; a simulation drives many, step by
 * step. Requests and accounts may be used by any thread, {@code run} by one at a time.
 */
public final class Instance {
  private static final Logger LOG = LoggerFactory.getLogger(Instance.class);

  private static final int COUNTER_STRIPES = 8;

  /** How often it looks for requests that were left open (R21). */
  private static final long SWEEP_NANOS = 5_000_000_000L;

  private final Admission admission;
  private final IdSource ids;
  private final InstanceLoop loop;
  private final InstanceContext context;
  private final UsageCounters usageCounters = new UsageCounters();
  private final UsageWriter writer;
  private final PolicyCounters policyCounters = new PolicyCounters();
  private final DenialCounters denialCounters;
  private final Membership accounts;
  private final @Nullable PolicyKeeper policies;
  private final @Nullable CredentialKeeper credentials;
  private final ChangeHearing changes;
  private volatile boolean released;
  private volatile @Nullable String fault;

  /**
   * An instance.
   *
   * @param grid what it needs of a grid; not closed by this instance
   * @param ids where request, lease and writer ids come from
   * @param waker called by any thread when {@link #run} should be called soon; must not block
   */
  public Instance(
      final InstanceGrid grid,
      final IdSource ids,
      final InstanceSettings settings,
      final Runnable waker) {
    final Id128 holder = ids.randomId();
    this.ids = ids;
    this.loop = new InstanceLoop(waker);
    this.context =
        new InstanceContext(
            settings,
            holder,
            ids,
            new SplittableRandom(ids.randomId().low()),
            loop,
            new Ledgers(grid.ledgers(), loop, "instance/" + holder),
            grid.changes(),
            new RefillCounters(),
            this::integrityFault);
    final MissBell missBell = new MissBell();
    this.admission =
        new Admission(
            new UsageQueue(settings.usage().lanes(), settings.usage().slotsPerLane(), waker),
            new OutcomeCounters(COUNTER_STRIPES),
            null,
            settings.policies().limits(),
            missBell);
    this.denialCounters = new DenialCounters(admission.denials());
    this.accounts = new Membership(admission.accounts(), context);
    this.writer =
        new UsageWriter(
            admission.usage(),
            grid.usage(),
            context,
            admission.catalogue(),
            usageCounters,
            ids.randomId(),
            accounts::manager);
    this.policies = grid.policies() == null ? null : keeper(grid.policies());
    this.credentials = credentialKeeper(grid.policies(), settings.policies().credentialKey());
    this.changes = new ChangeHearing(loop, accounts, policies, credentials, policyCounters);
    missBell.keeper = policies;
    loop.callOn(new Sweep(), 0);
    if (grid.policies() != null) {
      loop.callOn(reporter(grid.policies()), 0);
    }
  }

  private PolicyKeeper keeper(final PolicySource source) {
    final Standby standby =
        new Standby(context.settings().policies().tracked(), admission.principals(), accounts);
    final PolicyKeeper keeper =
        new PolicyKeeper(
            source,
            context,
            admission.principals(),
            admission.missed(),
            accounts,
            policyCounters,
            standby);
    loop.callOn(keeper, 0);
    loop.callOn(standby, 0);
    return keeper;
  }

  private DenialReporter reporter(final PolicySource authority) {
    return new DenialReporter(
        admission.denials(), authority, context, denialCounters, ids.randomId());
  }

  private @Nullable CredentialKeeper credentialKeeper(
      final @Nullable PolicySource source, final @Nullable CredentialKey key) {
    if (source == null || key == null) {
      return null;
    }
    final CredentialKeeper keeper = new CredentialKeeper(source, key, context, policyCounters);
    loop.callOn(keeper, 0);
    return keeper;
  }

  private final class Sweep extends Duty {
    @Override
    long perform(final long nowNanos) {
      final int swept = admission.sweepOverdue(nowNanos);
      if (swept > 0) {
        LOG.warn("{} requests were left open for longer than their operations may run", swept);
      }
      return Math.addExact(nowNanos, SWEEP_NANOS);
    }
  }

  /** The account, opened as active and strict if it was not open yet. */
  public ManagedAccount account(final Id128 account) {
    return accounts.open(account);
  }

  /**
   * The account, opened with {@code policy} if it was not open yet, else given it if it is newer.
   * Requests of principals whose accounts were never opened are refused.
   */
  public ManagedAccount account(final Id128 account, final AccountPolicy policy) {
    return accounts.open(account, policy);
  }

  /** The operation of this name, to be passed with requests. */
  public Operation operation(final String name) {
    return admission.catalogue().operation(name);
  }

  /** Publishes a plan, or a newer generation of it. */
  public Publication publish(final Plan plan) {
    return admission.principals().publish(plan);
  }

  /**
   * Assigns a principal its plan and the accounts that pay for it, which must be open; the
   * assignment is good until a newer one.
   *
   * @throws io.tollgrid.admission.snapshot.RefusedSnapshotException if it must not come into force
   */
  public Publication assign(final PrincipalSnapshot snapshot) {
    final SnapshotMap principals = admission.principals();
    return principals.resolved(snapshot, Long.MAX_VALUE, principals.readEpoch());
  }

  /**
   * Introduces a subject to the authority by its name, which derives a snapshot for it from the
   * assignments it falls under; an operator's own snapshot stays as it is. What is then on record
   * is read at once. Any thread; off the request path.
   *
   * @return what came of it, within a bound; failed if the authority did not answer
   * @throws IllegalStateException if this instance has no source of policies
   */
  public CompletionStage<Introduction> introduce(final Subject subject) {
    final PolicyKeeper keeper = policies;
    if (keeper == null) {
      throw new IllegalStateException(
          "this instance introduces nobody: it was started without a source of policies");
    }
    return keeper.introduce(subject);
  }

  /** A request object for one worker. */
  public AdmissionRequest newRequest() {
    return admission.newRequest(ids.randomId());
  }

  /**
   * Does everything that is due.
   *
   * @param clockNanos the time, epoch nanoseconds
   * @return when something is due again, if the waker is not called before
   */
  public long run(final long clockNanos) {
    final long at = Math.max(clockNanos, loop.nowNanos());
    writer.collect(at);
    final long next = loop.run(clockNanos);
    released = accounts.isReleased();
    return admission.usage().awaitRecord() ? next : at;
  }

  /**
   * Whether it can admit requests at {@code nowNanos}, with the counts that say so (R39). Looks at
   * everybody that is tracked; for a probe, not for requests.
   */
  public Readiness readiness(final Tracked tracked, final long nowNanos) {
    return readiness(tracked, EnumSet.noneOf(Readiness.Reason.class), nowNanos);
  }

  Readiness readiness(
      final Tracked tracked, final Set<Readiness.Reason> reasons, final long nowNanos) {
    if (fault != null) {
      reasons.add(Readiness.Reason.INTEGRITY_FAULT);
    } else if (admission.isStopped() && reasons.isEmpty()) {
      reasons.add(Readiness.Reason.SHUTTING_DOWN);
    }
    if ((policies != null && !policies.isCurrent())
        || (credentials != null && !credentials.isCurrent())) {
      reasons.add(Readiness.Reason.POLICIES_UNREAD);
    }
    return ReadinessProbe.of(admission.principals(), tracked, reasons, nowNanos);
  }

  /** Its identity as a holder of leases. */
  public Id128 holder() {
    return context.holder();
  }

  /** Its request path. */
  public Admission admission() {
    return admission;
  }

  /**
   * A session for one connection, in which a secret can be proved.
   *
   * @throws IllegalStateException if this instance was given no key under which secrets are
   *     digested
   */
  public Session newSession() {
    final CredentialKeeper keeper = credentials;
    if (keeper == null) {
      throw new IllegalStateException(
          "this instance proves no credentials: it was started without a credential key, or without"
              + " a source of policies");
    }
    return new Session(keeper.verifier());
  }

  /** What became of its efforts to stay current. */
  public PolicyCounters policies() {
    return policyCounters;
  }

  /** What became of its denials. */
  public DenialCounters denials() {
    return denialCounters;
  }

  /** Where word of changes goes. Any thread. */
  public ChangeFeed.Listener changes() {
    return changes;
  }

  /** What its lease managers did. */
  public RefillCounters refills() {
    return context.refills();
  }

  /** What became of its usage. */
  public UsageCounters usage() {
    return usageCounters;
  }

  /** What stopped it, or null. */
  public @Nullable String fault() {
    return fault;
  }

  // Shutdown, step by step; each takes effect at the next run (R41)

  /** Admits nothing any more and acquires no more leases. */
  public void pause() {
    admission.stop();
    enter(RefillState.Mode.PAUSED);
  }

  /** Brings every lease home. */
  public void release() {
    enter(RefillState.Mode.RELEASING);
  }

  /** Whether no request runs and everything that was settled has been answered. */
  public boolean isDrained() {
    final UsageQueue usage = admission.usage();
    return usage.depth() == 0 && usage.pendingRequests() == 0 && usage.startedRequests() == 0;
  }

  /** Whether every lease was home and no command open at the end of the last run. */
  public boolean isReleased() {
    return released;
  }

  /** What is left behind now. For the thread that runs it, after its last run. */
  public ShutdownReport report(final long abandonedRequests) {
    final OpenUsage open = writer.report();
    long leases = context.refills().abandonedLeases();
    long units = context.refills().abandonedUnits();
    long uncertain = context.refills().uncertain();
    for (final LeaseManager manager : accounts.managers()) {
      leases += manager.books.size();
      units = Math.addExact(units, manager.books.unsettledUnits());
      uncertain += manager.isWaiting() ? 1 : 0;
    }
    return new ShutdownReport(
        abandonedRequests,
        open.lostEvents,
        open.lostUnits,
        open.unresolvedEvents,
        open.unresolvedUnits,
        usageCounters.refusedEvents(),
        usageCounters.refusedUnits(),
        leases,
        units,
        uncertain,
        context.refills().forfeitedUnits());
  }

  /** Every account that was opened. */
  public Collection<ManagedAccount> accounts() {
    return accounts.accounts();
  }

  private void enter(final RefillState.Mode next) {
    loop.post(() -> accounts.enter(next));
  }

  private void integrityFault(final Id128 account, final String what) {
    LOG.error("account {}: {}; this instance admits nothing any more", account, what);
    if (fault == null) {
      fault = "account " + account + ": " + what;
    }
    admission.stop();
    accounts.pause();
  }

  /** The bell of an admission that must exist before its keeper does. */
  private static final class MissBell implements Runnable {
    private volatile @Nullable PolicyKeeper keeper;

    @Override
    public void run() {
      final PolicyKeeper listening = keeper;
      if (listening != null) {
        listening.ring();
      }
    }
  }
}
