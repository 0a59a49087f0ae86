package io.tollgrid.client;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.LeaseDoorbell;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.plan.Plan;
import io.tollgrid.admission.request.Admission;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.admission.snapshot.PrincipalSnapshot;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.IdSource;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
  private final Map<Id128, ManagedAccount> accounts = new ConcurrentHashMap<>();
  private final Map<Id128, LeaseManager> managers = new ConcurrentHashMap<>();
  private RefillState.Mode mode = RefillState.Mode.RUNNING;
  private volatile boolean released;
  private volatile @Nullable String fault;

  /**
   * An instance.
   *
   * @param client the way to the ledgers; not closed by this instance
   * @param ids where request, lease and writer ids come from
   * @param waker called by any thread when {@link #run} should be called soon; must not block
   */
  public Instance(
      final LedgerClient client,
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
            new Ledgers(client, loop, "instance/" + holder),
            new RefillCounters(),
            this::integrityFault);
    this.admission =
        new Admission(
            new UsageQueue(settings.usageLanes(), settings.slotsPerLane(), waker),
            new OutcomeCounters(COUNTER_STRIPES));
    this.writer =
        new UsageWriter(
            admission.usage(),
            context,
            admission.catalogue(),
            usageCounters,
            ids.randomId(),
            managers::get);
    loop.callOn(this::sweep, 0);
  }

  private long sweep(final long nowNanos) {
    final int swept = admission.sweepOverdue(nowNanos);
    if (swept > 0) {
      LOG.warn("{} requests were left open for longer than their operations may run", swept);
    }
    return Math.addExact(nowNanos, SWEEP_NANOS);
  }

  /** The account, opened as active and strict if it was not open yet. */
  public ManagedAccount account(final Id128 account) {
    return accounts.computeIfAbsent(
        account, id -> open(id, doorbell -> admission.accounts().open(id, doorbell)));
  }

  /**
   * The account, opened with {@code policy} if it was not open yet, else given it if it is newer.
   * Requests of principals whose accounts were never opened are refused.
   */
  public ManagedAccount account(final Id128 account, final AccountPolicy policy) {
    final ManagedAccount opened =
        accounts.computeIfAbsent(
            account, id -> open(id, doorbell -> admission.accounts().open(id, policy, doorbell)));
    opened.publish(policy);
    return opened;
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
    if (mode == RefillState.Mode.RELEASING) {
      released = managers.values().stream().allMatch(LeaseManager::isDone);
    }
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
    long leases = 0;
    long units = 0;
    long uncertain = 0;
    for (final LeaseManager manager : managers.values()) {
      leases += manager.books().size();
      units = Math.addExact(units, manager.books().unsettledUnits());
      uncertain += manager.isUncertain() ? 1 : 0;
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
    return accounts.values();
  }

  private ManagedAccount open(final Id128 id, final Function<LeaseDoorbell, AccountState> opening) {
    final Doorbell doorbell = new Doorbell();
    final AccountState state = opening.apply(doorbell);
    final ManagedAccount account = new ManagedAccount(state, loop);
    final LeaseManager manager = new LeaseManager(state, context, account::changed);
    doorbell.manager = manager;
    account.managedBy(manager::fundingChanged);
    managers.put(id, manager);
    loop.post(() -> manager.enter(mode));
    return account;
  }

  private void enter(final RefillState.Mode next) {
    loop.post(
        () -> {
          mode = next;
          managers.values().forEach(manager -> manager.enter(next));
        });
  }

  private void integrityFault(final Id128 account, final String what) {
    LOG.error("account {}: {}; this instance admits nothing any more", account, what);
    if (fault == null) {
      fault = "account " + account + ": " + what;
    }
    admission.stop();
  }

  /** A doorbell for a slot that must exist before its manager does. */
  private static final class Doorbell implements LeaseDoorbell {
    private volatile @Nullable LeaseManager manager;

    @Override
    public void ring() {
      final LeaseManager listening = manager;
      if (listening != null) {
        listening.ring();
      }
    }
  }
}
