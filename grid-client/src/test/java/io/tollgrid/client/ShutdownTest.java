package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R41: a shutdown stops admitting, then drains usage, then releases leases, all within
 * the deadline of the first call for it; what somebody still spends is reported and never released
 * under them.
 */
@Timeout(60)
class ShutdownTest {
  private static final Id128 ACCOUNT = new Id128(0xACC, 1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final LedgerClock clock = () -> System.currentTimeMillis() * 1_000_000L;
  private final WillingLedgers ledgers = new WillingLedgers(clock);
  private final ExecutorService other = Executors.newCachedThreadPool();
  private final InstanceRuntime runtime =
      InstanceRuntime.start(
          InstanceGrid.ledgersOnly(ledgers, clock),
          clock,
          new TestIds(1),
          InstanceSettings.DEFAULTS);

  @AfterEach
  void end() {
    other.shutdownNow();
  }

  private @Nullable Denial ask(AdmissionRequest request, long units) {
    final Denial begun = request.begin(ACCOUNT, clock.nowNanos());
    return begun != null
        ? begun
        : request.admit(TestPlan.work(runtime.instance()), units, clock.nowNanos());
  }

  private boolean isShuttingDown() {
    final AdmissionRequest request = runtime.newRequest();
    final Denial denial = ask(request, 1);
    if (denial == null) {
      request.cancel();
    }
    return denial == Denial.SHUTTING_DOWN;
  }

  private AdmissionRequest running(long units) throws Exception {
    runtime.account(ACCOUNT);
    TestPlan.admit(runtime.instance(), ACCOUNT);
    final AdmissionRequest request = runtime.newRequest();
    until(() -> ask(request, units) == null);
    assertThat(request.start(clock.nowNanos())).isNull();
    return request;
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    while (!condition.call()) {
      Thread.sleep(1);
    }
  }

  @Test
  void whatRunsIsWaitedForAndItsLeaseIsReleasedAfterItsUsage() throws Exception {
    final AdmissionRequest request = running(7);
    final AtomicReference<Thread> stopping = new AtomicReference<>(Thread.currentThread());
    final Future<ShutdownReport> shutdown =
        other.submit(
            () -> {
              stopping.set(Thread.currentThread());
              return runtime.shutdown(LONG);
            });
    until(() -> isShuttingDown() && (isWaiting(stopping.get()) || shutdown.isDone()));
    assertThat(shutdown.isDone()).as("it waits for what runs").isFalse();

    request.settle(5, clock.nowNanos());

    assertThat(shutdown.get(20, TimeUnit.SECONDS).isClean()).isTrue();
    assertThat(spent()).as("what was settled was charged").isEqualTo(5);
  }

  /**
   * The units that were granted and not brought home, however many leases there were; the last of
   * which was released after the usage.
   */
  private long spent() {
    final List<LedgerCommand> asked = ledgers.commands();
    assertThat(asked.get(asked.size() - 1)).isInstanceOf(LedgerCommand.Release.class);
    assertThat(asked.subList(0, asked.size() - 1))
        .hasAtLeastOneElementOfType(LedgerCommand.RecordUsage.class);
    long units = 0;
    for (final LedgerCommand command : asked) {
      if (command instanceof LedgerCommand.Acquire) {
        units += WillingLedgers.GRANT_UNITS;
      } else if (command instanceof LedgerCommand.Consolidate fold) {
        units += WillingLedgers.GRANT_UNITS - fold.freeUnits();
      } else if (command instanceof LedgerCommand.Return back) {
        units -= back.units();
      } else if (command instanceof LedgerCommand.Release release) {
        units -= release.unspentUnits();
      }
    }
    return units;
  }

  @Test
  void whatNobodyEndsIsChargedAsReservedAndReported() throws Exception {
    final AdmissionRequest request = running(7);

    final ShutdownReport report = runtime.shutdown(Duration.ofSeconds(2));

    assertThat(report.abandonedRequests()).isEqualTo(1);
    assertThat(report.abandonedLeases()).isZero();
    assertThat(spent()).isEqualTo(7);
    assertThat(request).isNotNull();
  }

  @Test
  void aLedgerThatFallsSilentHoldsNobodyPastTheFirstDeadline() throws Exception {
    final AdmissionRequest request = running(7);
    ledgers.fallSilent();
    request.settle(7, clock.nowNanos());

    final Future<ShutdownReport> first =
        other.submit(() -> runtime.shutdown(Duration.ofMillis(800)));
    until(this::isShuttingDown);
    final long began = System.nanoTime();
    final ShutdownReport second = runtime.shutdown(LONG);

    assertThat(System.nanoTime() - began)
        .as("the first call's deadline holds for all")
        .isLessThan(LONG.toNanos() / 2);
    assertThat(second).isEqualTo(first.get(20, TimeUnit.SECONDS));
    assertThat(second.unresolvedEvents()).isEqualTo(1);
    assertThat(second.abandonedLeases()).isPositive();
    assertThat(second.isClean()).isFalse();
  }
}
