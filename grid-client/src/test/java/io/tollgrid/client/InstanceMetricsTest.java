package io.tollgrid.client;

import static io.tollgrid.client.ScriptedInstance.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Witnesses R32 (every outcome has its meter) and R22 (depth and capacity can be read). */
class InstanceMetricsTest {
  @Test
  @Timeout(30)
  void everyOutcomeDenialAndVerdictHasAMeterThatReadsTheInstancesOwnCounters()
      throws InterruptedException {
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final LedgerClock time = () -> System.currentTimeMillis() * 1_000_000;
    try (InstanceRuntime runtime =
        InstanceRuntime.start(
            InstanceGrid.ledgersOnly(new ScriptedLedgers(new ManualTime()), new ManualTime()),
            time,
            new TestIds(1),
            InstanceSettings.DEFAULTS.with(UsageSettings.DEFAULTS.queue(2, 8)))) {
      new InstanceMetrics(runtime, Tags.of("service", "chat")).bindTo(registry);
      runtime.account(ACCOUNT);
      TestPlan.admit(runtime.instance(), ACCOUNT);
      final AdmissionRequest request = runtime.newRequest();
      request.begin(ACCOUNT, time.nowNanos());
      assertThat(request.admit(TestPlan.work(runtime.instance()), 1, time.nowNanos()))
          .isEqualTo(Denial.NO_LEASE);

      assertThat(value(registry, "tollgrid.denials", "reason", "no_lease")).isEqualTo(1);
      assertThat(value(registry, "tollgrid.denials", "reason", "lease_expired")).isZero();
      assertThat(registry.get("tollgrid.usage.queue.capacity").gauge().value()).isEqualTo(16);
      assertThat(registry.get("tollgrid.usage.queue.depth").gauge().value()).isZero();
      assertThat(registry.get("tollgrid.instance.ready").gauge().value()).isZero();
      assertThat(registry.find("tollgrid.requests").functionCounters())
          .hasSameSizeAs(Outcome.values());
      assertThat(registry.find("tollgrid.denials").functionCounters())
          .hasSameSizeAs(Denial.values());
      assertThat(registry.find("tollgrid.usage.events").functionCounters())
          .hasSameSizeAs(UsageVerdict.values());
      assertThat(registry.getMeters())
          .allSatisfy(meter -> assertThat(meter.getId().getTag("service")).isEqualTo("chat"));
      // The lease it asks for is never answered.
      assertThat(runtime.shutdown(Duration.ofMillis(1)).isClean()).isFalse();
    }
  }

  private static double value(
      final SimpleMeterRegistry registry, final String name, final String key, final String tag) {
    return registry.get(name).tag(key, tag).functionCounter().count();
  }
}
