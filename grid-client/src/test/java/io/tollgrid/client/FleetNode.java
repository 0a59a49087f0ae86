package io.tollgrid.client;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.admission.session.Session;
import io.tollgrid.admission.snapshot.Principal;
import io.tollgrid.admission.snapshot.Standing;
import io.tollgrid.grid.Change;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.ledger.Id128;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One instance of the fleet with the work it serves, from its start to its end. */
final class FleetNode {
  /** How long a shutdown waits between two looks. */
  private static final long LOOK_NANOS = 20 * FleetScale.MILLI;

  private static final int SESSIONS = 3;

  /** A reading that was under way when word came may end a moment later, and list it still. */
  private static final int LOOKS_AFTER_RETIREMENT = 10;

  private enum State {
    RUNNING,
    STOPPING,
    GONE
  }

  /** What a request is about to do; all of it drawn before it begins. */
  record Work(
      long items,
      long startAfterNanos,
      boolean cancels,
      long workNanos,
      long extensionUnits,
      long actualUnits,
      int attempts) {}

  final int number;
  final long startedNanos;
  final Tracked tracked;
  final Instance instance;
  final SimulatedAuthority.Reader reader;
  final FleetTap tap;
  private final FleetWorld world;
  private final FleetAudit audit;
  private final ChangeFeed.Subscription subscription;
  private final List<Session> sessions = new ArrayList<>();
  private final Deque<AdmissionRequest> idle = new ArrayDeque<>();
  private final List<Served> open = new ArrayList<>();
  private final Map<Object, Long> heardAtNanos = new HashMap<>();
  private final Map<Id128, Long> heardFundedVersion = new HashMap<>();

  /** Units its requests committed on their home accounts, those nobody funded left out. */
  private final Map<Id128, Long> spentUnits = new HashMap<>();

  /** Units of every usage event its requests came to, over all legs. */
  private long eventUnits;

  private State state = State.RUNNING;
  private long stoppingSinceNanos = Long.MAX_VALUE;

  FleetNode(
      FleetWorld world,
      int number,
      Tracked tracked,
      Instance instance,
      SimulatedAuthority.Reader reader,
      FleetTap tap) {
    this.world = world;
    this.audit = world.audit();
    this.number = number;
    this.tracked = tracked;
    this.instance = instance;
    this.reader = reader;
    this.tap = tap;
    this.startedNanos = now();
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(instance.newSession());
    }
    this.subscription =
        world
            .topic()
            .subscribe(
                new ChangeFeed.Listener() {
                  @Override
                  public void changed(Change change) {
                    hear(change);
                    instance.changes().changed(change);
                  }

                  @Override
                  public void lost() {
                    instance.changes().lost();
                  }
                });
  }

  private long now() {
    return world.now();
  }

  boolean isAlive() {
    return state != State.GONE;
  }

  boolean isRunning() {
    return state == State.RUNNING;
  }

  boolean isStopping() {
    return state == State.STOPPING;
  }

  /** Whether it was told to stop before this instant. */
  boolean stoppedBefore(long nanos) {
    return stoppingSinceNanos < nanos;
  }

  boolean tracks(Id128 principal) {
    return !(tracked instanceof Tracked.Fixed fixed) || fixed.principals().contains(principal);
  }

  Session session(int which) {
    return sessions.get(which % SESSIONS);
  }

  /** What it knows of a principal, or null. */
  @Nullable Principal known(Id128 principal) {
    return instance.admission().principals().find(principal.high(), principal.low());
  }

  /** The snapshot of a principal in force here, or null. */
  @Nullable Standing standing(Id128 principal) {
    final Principal known = known(principal);
    return known == null ? null : known.standing();
  }

  // Word

  private void hear(Change change) {
    final Object subject;
    if (change instanceof Change.PrincipalChanged it) {
      subject = it.principal();
    } else if (change instanceof Change.AccountChanged it) {
      subject = it.account();
    } else if (change instanceof Change.PlanChanged it) {
      subject = it.plan();
    } else if (change instanceof Change.CredentialRetired it) {
      subject = it.keyId();
    } else if (change instanceof Change.FundingRaised it) {
      heardFundedVersion.merge(it.account(), it.version(), Math::max);
      return;
    } else {
      return;
    }
    heardAtNanos.put(subject, now());
    final long at = now();
    if (change instanceof Change.CredentialRetired) {
      for (int look = 1; look <= LOOKS_AFTER_RETIREMENT; look++) {
        world.time().after(look * LOOK_NANOS / 4, () -> audit.staysRetired(this, (Id128) subject));
      }
    }
    world.time().after(FleetScale.PUSH_NANOS, () -> audit.afterWord(this, subject, at));
  }

  /** When word of an account, a plan, a principal or a credential last came, or never. */
  long heardAtNanos(Object subject) {
    return heardAtNanos.getOrDefault(subject, Long.MIN_VALUE);
  }

  long heardFundedVersion(Id128 account) {
    return heardFundedVersion.getOrDefault(account, 0L);
  }

  // Requests

  /** Units committed, and those reserved by what runs: taken to be spent, whatever comes (R1). */
  long spentUnits(Id128 account) {
    long units = spentUnits.getOrDefault(account, 0L);
    for (final Served served : open) {
      if (served.running && served.home.equals(account)) {
        units += served.request.reservedUnits();
      }
    }
    return units;
  }

  boolean runsWork() {
    return open.stream().anyMatch(served -> served.running);
  }

  boolean hasUnsentUsage() {
    return instance.admission().usage().depth() > 0;
  }

  long eventUnits() {
    return eventUnits;
  }

  void serve(Id128 principal, Work work) {
    new Served(principal, null, work).begin();
  }

  void serve(Session session, Work work) {
    new Served(session.principal(), session, work).begin();
  }

  /** Whether one more unit could be had by this principal right now; what it took is given back. */
  @Nullable Denial probe(Id128 principal) {
    final AdmissionRequest request = idle.isEmpty() ? instance.newRequest() : idle.remove();
    Denial denial = request.begin(principal, now());
    if (denial == null) {
      denial = request.admit(instance.operation("work"), 1, now());
    }
    if (denial == null) {
      request.cancel();
    }
    idle.add(request);
    return denial;
  }

  private final class Served {
    private final Id128 subject;
    private final @Nullable Session session;
    private final Work work;
    private final AdmissionRequest request = idle.isEmpty() ? instance.newRequest() : idle.remove();
    private Id128 home = Id128.ZERO;
    private int legs;
    private int attempt;
    private boolean running;

    Served(Id128 principal, @Nullable Session session, Work work) {
      this.subject = principal;
      this.session = session;
      this.work = work;
      open.add(this);
    }

    private void later(long nanos, Runnable step) {
      world
          .time()
          .after(
              nanos,
              () -> {
                if (isAlive() && open.contains(this)) {
                  step.run();
                }
              });
    }

    void begin() {
      // Another request may have proved another credential on the same session meanwhile.
      final Id128 principal = session == null ? subject : session.principal();
      final Standing standing = standing(principal);
      Denial denial =
          session == null ? request.begin(principal, now()) : request.begin(session, null, now());
      if (denial == null && standing != null) {
        home = standing.home().id();
        legs = standing.legs();
        denial = request.admit(instance.operation("work"), work.items(), now());
      }
      if (denial != null) {
        final boolean proved = session == null || session.credential(now()) != null;
        final Id128 asked = proved ? principal : Id128.ZERO;
        audit.denied(FleetNode.this, asked, standing, request, denial, work.items());
        refused(denial);
        return;
      }
      audit.admitted(FleetNode.this, principal, home);
      if (work.cancels()) {
        later(
            work.startAfterNanos(),
            () -> {
              request.cancel();
              done();
            });
      } else {
        later(work.startAfterNanos(), this::start);
      }
    }

    private void refused(Denial denial) {
      attempt++;
      if (denial.isFinal() || denial == Denial.SHUTTING_DOWN || attempt >= work.attempts()) {
        done();
      } else {
        later(10 * FleetScale.MILLI * attempt, this::begin);
      }
    }

    private void start() {
      final Denial denial = request.start(now());
      if (denial != null) {
        audit.notStarted(denial);
        refused(denial);
        return;
      }
      running = true;
      later(work.workNanos(), this::extend);
    }

    private void extend() {
      if (work.extensionUnits() > 0) {
        final Denial denial = request.extend(work.extensionUnits(), now());
        if (denial != null) {
          audit.notStarted(denial);
        }
      }
      later(FleetScale.MILLI, this::settle);
    }

    private void settle() {
      request.settle(work.actualUnits(), now());
      ended(request.settledUnits(), request.unfundedUnits());
      done();
    }

    /** Its charge stands: as settled, or as reserved if nobody settled it. */
    private void ended(long units, long unfunded) {
      running = false;
      spentUnits.merge(home, units - unfunded, Long::sum);
      eventUnits += legs * units;
      if (unfunded > 0) {
        world.coverage().saw(FleetScenario.SETTLED_UNFUNDED);
      }
      if (request.overageUnits() > 0) {
        world.coverage().saw(FleetScenario.OVERAGE_ADMITTED);
      }
    }

    private void done() {
      open.remove(this);
      idle.add(request);
    }
  }

  // Ends

  /** Its process is gone from one instant to the next. */
  void crash() {
    if (runsWork()) {
      world.coverage().saw(FleetScenario.CRASH_WITH_RUNNING_WORK);
    }
    if (hasUnsentUsage()) {
      world.coverage().saw(FleetScenario.CRASH_WITH_UNSENT_USAGE);
    }
    for (final Served served : List.copyOf(open)) {
      if (served.running) {
        served.ended(served.request.reservedUnits(), 0);
      }
    }
    leave();
  }

  /** Shuts down in the one order there is, within {@code totalNanos} (R41). */
  void shutDown(long totalNanos) {
    state = State.STOPPING;
    stoppingSinceNanos = now();
    if (tap.foldUnderWay()) {
      world.coverage().saw(FleetScenario.FOLD_IN_FLIGHT_AT_STOP);
    }
    if (tap.isParked()) {
      world.coverage().saw(FleetScenario.PARKED_AT_SHUTDOWN);
    }
    final long deadlineNanos = now() + totalNanos;
    advance(new ShutdownOrder(instance, deadlineNanos, totalNanos), deadlineNanos);
  }

  private void advance(ShutdownOrder order, long deadlineNanos) {
    if (order.abandonsAt(now())) {
      abandonOpen();
    }
    if (order.advance(now())) {
      final long unused = instance.run(now());
      final ShutdownReport report = order.report();
      leave();
      audit.stopped(this, report, deadlineNanos);
    } else {
      look(() -> advance(order, deadlineNanos));
    }
  }

  /** What runs will be charged as reserved, what has not started as nothing. */
  private void abandonOpen() {
    for (final Served served : List.copyOf(open)) {
      if (served.running) {
        served.ended(served.request.reservedUnits(), 0);
      }
      open.remove(served);
    }
  }

  private void look(Runnable step) {
    world
        .time()
        .after(
            LOOK_NANOS,
            () -> {
              if (isAlive()) {
                step.run();
              }
            });
  }

  private void leave() {
    state = State.GONE;
    open.clear();
    subscription.close();
    sessions.forEach(Session::close);
    world.left(this);
  }

  @Override
  public String toString() {
    return "instance " + number;
  }
}
