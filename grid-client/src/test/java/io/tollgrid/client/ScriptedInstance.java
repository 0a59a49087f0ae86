package io.tollgrid.client;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One instance under a clock that a test moves and ledgers that a test answers for. */
final class ScriptedInstance {
  static final Id128 ACCOUNT = new Id128(0xACC, 1);
  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000 * MILLI;

  final ManualTime time = new ManualTime();
  final ScriptedLedgers ledgers = new ScriptedLedgers(time);
  final InstanceSettings settings;
  final Instance instance;

  /** Kept reachable: one that is collected while it runs is taken for abandoned. */
  private final List<AdmissionRequest> running = new ArrayList<>();

  ScriptedInstance() {
    this(InstanceSettings.DEFAULTS);
  }

  ScriptedInstance(InstanceSettings settings) {
    this.settings = settings;
    this.instance =
        new Instance(InstanceGrid.ledgersOnly(ledgers, time), new TestIds(1), settings, () -> {});
    open(ACCOUNT);
  }

  /** One that leaves its usage where the test looks. */
  ScriptedInstance(InstanceSettings settings, ScriptedInbox inbox) {
    this.settings = settings;
    this.instance =
        new Instance(
            new InstanceGrid(ledgers, null, ChangeFeed.silent(), inbox),
            new TestIds(1),
            settings,
            () -> {});
    open(ACCOUNT);
  }

  ManagedAccount open(Id128 account) {
    final ManagedAccount opened =
        instance.account(
            account,
            new AccountPolicy(
                1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false));
    TestPlan.admit(instance, account);
    run();
    return opened;
  }

  ManagedAccount account() {
    return instance.account(ACCOUNT);
  }

  /** Does what is due now. */
  void run() {
    for (int i = 0; i < 4; i++) {
      instance.run(time.nowNanos());
    }
  }

  /** Lets time pass in one step, and does what is due then. */
  void later(long nanos) {
    time.advance(nanos);
    run();
  }

  /**
   * Goes on, millisecond by millisecond, until something is sent.
   *
   * @return how long that took
   */
  long untilSent(long longestNanos) {
    final long from = time.nowNanos();
    run();
    while (ledgers.waiting() == 0) {
      if (time.nowNanos() - from > longestNanos) {
        throw new AssertionError("nothing was sent within " + longestNanos + " ns");
      }
      later(MILLI);
    }
    return time.nowNanos() - from;
  }

  /** Goes on for so long, millisecond by millisecond, and expects nothing to be sent. */
  void quietFor(long nanos) {
    final long until = time.nowNanos() + nanos;
    run();
    while (time.nowNanos() < until) {
      if (ledgers.waiting() > 0) {
        throw new AssertionError("sent " + ledgers.next().request());
      }
      later(MILLI);
    }
  }

  /** Asks for a request of so many units. */
  @Nullable Denial ask(AdmissionRequest request, long units) {
    final Denial begun = request.begin(ACCOUNT, time.nowNanos());
    return begun != null ? begun : request.admit(TestPlan.work(instance), units, time.nowNanos());
  }

  /** A request that runs with so many units. */
  AdmissionRequest running(long units) {
    final AdmissionRequest request = instance.newRequest();
    final Denial denied = ask(request, units);
    final Denial notStarted = denied != null ? denied : request.start(time.nowNanos());
    if (notStarted != null) {
      throw new AssertionError("denied: " + notStarted);
    }
    running.add(request);
    return request;
  }

  /** What a request of so many units is told; it does not go on. */
  @Nullable Denial told(long units) {
    final AdmissionRequest request = instance.newRequest();
    final Denial denied = ask(request, units);
    if (denied == null) {
      request.cancel();
    }
    return denied;
  }

  /** A lease of so many units, taken for a first quote of one. */
  Outcome.Granted leased(long units, @Nullable Evidence evidence) {
    told(1);
    run();
    final ScriptedLedgers.Sent acquire = ledgers.next();
    acquire.command(LedgerCommand.Acquire.class);
    final Outcome.Granted granted =
        ledgers.grant(acquire, units, evidence, settings.leases().ttlNanos());
    run();
    return granted;
  }

  /** Free units of the current lease. */
  long freeUnits() {
    final var lease = instance.admission().accounts().find(ACCOUNT).leases().current();
    return lease == null ? -1 : lease.freeUnits();
  }
}
