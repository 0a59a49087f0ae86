package io.tollgrid.client;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.request.UsageQueue;
import io.tollgrid.ledger.UsageVerdict;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What an instance counts, as Micrometer's meters. Nothing is counted twice: each meter reads the
 * counter that the instance keeps anyway, when the registry asks.
 */
public final class InstanceMetrics implements MeterBinder {
  private final InstanceRuntime instance;
  private final Tags tags;

  /** Meters of an instance, each with these tags too. */
  public InstanceMetrics(final InstanceRuntime instance, final Tags tags) {
    this.instance = instance;
    this.tags = tags;
  }

  @Override
  public void bindTo(final MeterRegistry registry) {
    requests(registry);
    leases(registry);
    usage(registry);
    policies(registry);
    denials(registry);
    Gauge.builder("tollgrid.instance.ready", instance, it -> readyBit(it))
        .description(
            "1 while requests of those it tracks are admitted, or it tracks nobody; else 0")
        .tags(tags)
        .register(registry);
  }

  private static double readyBit(final InstanceRuntime instance) {
    return instance.readiness().isReady() ? 1 : 0;
  }

  private void requests(final MeterRegistry registry) {
    final OutcomeCounters counters = instance.counters();
    for (final Outcome outcome : Outcome.values()) {
      counter(
          registry,
          "tollgrid.requests",
          "Requests by what became of them",
          "outcome",
          label(outcome),
          counters,
          it -> it.count(outcome));
    }
    for (final Denial denial : Denial.values()) {
      counter(
          registry,
          "tollgrid.denials",
          "Requests that were denied, or refused at start, by reason",
          "reason",
          label(denial),
          counters,
          it -> it.denials(denial));
    }
    counter(
        registry,
        "tollgrid.snapshots.refused",
        "Publications refused for their generation",
        "kind",
        "generation",
        instance.instance().admission().principals(),
        it -> it.refusedPublications());
  }

  private void leases(final MeterRegistry registry) {
    final RefillCounters refills = instance.instance().refills();
    refill(registry, refills, "acquire", RefillCounters::acquires);
    refill(registry, refills, "consolidate", RefillCounters::consolidations);
    refill(registry, refills, "return", RefillCounters::returns);
    refill(registry, refills, "renew", RefillCounters::renewals);
    refill(registry, refills, "release", RefillCounters::releases);
    FunctionCounter.builder("tollgrid.lease.commands.refused", refills, RefillCounters::refusals)
        .description("Lease commands that a ledger refused")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("tollgrid.lease.commands.parked", refills, RefillCounters::parked)
        .description("Lease commands whose outcome was unknown for a time")
        .tags(tags)
        .register(registry);
    Gauge.builder("tollgrid.lease.commands.uncertain", refills, RefillCounters::uncertain)
        .description("Lease commands that may have happened and are not settled yet")
        .tags(tags)
        .register(registry);
    Gauge.builder("tollgrid.lease.uncertain.units", refills, RefillCounters::uncertainUnits)
        .description("Units that such commands carry or asked for, at most")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("tollgrid.lease.managers.failed", refills, RefillCounters::deaths)
        .description("Times a lease manager failed and began anew")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder(
            "tollgrid.lease.abandoned.units", refills, RefillCounters::abandonedUnits)
        .description("Units on leases given up by managers that failed")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder(
            "tollgrid.lease.forfeited.units", refills, RefillCounters::forfeitedUnits)
        .description("Units still on leases when the ledger had ended them")
        .tags(tags)
        .register(registry);
  }

  private void refill(
      final MeterRegistry registry,
      final RefillCounters refills,
      final String command,
      final ToDoubleFunction<RefillCounters> count) {
    counter(
        registry,
        "tollgrid.lease.commands",
        "Lease commands sent, repetitions not counted",
        "command",
        command,
        refills,
        count);
  }

  private void usage(final MeterRegistry registry) {
    final UsageCounters counters = instance.instance().usage();
    for (final UsageVerdict verdict : UsageVerdict.values()) {
      counter(
          registry,
          "tollgrid.usage.events",
          "Usage events by how the ledger classified them",
          "verdict",
          label(verdict),
          counters,
          it -> it.events(verdict));
    }
    FunctionCounter.builder("tollgrid.usage.retries", counters, UsageCounters::retries)
        .description("Batches of usage sent again")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("tollgrid.usage.refused.units", counters, UsageCounters::refusedUnits)
        .description("Units that no ledger will ever record: spend nobody paid for")
        .tags(tags)
        .register(registry);
    final UsageQueue queue = instance.instance().admission().usage();
    Gauge.builder("tollgrid.usage.queue.depth", queue, UsageQueue::depth)
        .description("Settled requests without a durable answer")
        .tags(tags)
        .register(registry);
    Gauge.builder("tollgrid.usage.queue.capacity", queue, UsageQueue::capacity)
        .description("Usage slots")
        .tags(tags)
        .register(registry);
  }

  private void policies(final MeterRegistry registry) {
    final PolicyCounters counters = instance.instance().policies();
    policy(registry, counters, "read", PolicyCounters::reads);
    policy(registry, counters, "failed", PolicyCounters::failedReads);
    policy(registry, counters, "moved", PolicyCounters::movedReads);
    policy(registry, counters, "unsafe", PolicyCounters::unsafe);
    FunctionCounter.builder("tollgrid.changes.heard", counters, PolicyCounters::changesHeard)
        .description("Words of changes that arrived")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("tollgrid.changes.gaps", counters, PolicyCounters::gaps)
        .description("Times when word of changes may have been lost")
        .tags(tags)
        .register(registry);
  }

  private void denials(final MeterRegistry registry) {
    final DenialCounters counters = instance.instance().denials();
    FunctionCounter.builder("tollgrid.denials.reported", counters, DenialCounters::reported)
        .description("Denials that the authority keeps, by the minute")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("tollgrid.denials.dropped", counters, DenialCounters::dropped)
        .description("Denials that found no place among those to be reported")
        .tags(tags)
        .register(registry);
  }

  private void policy(
      final MeterRegistry registry,
      final PolicyCounters counters,
      final String result,
      final ToDoubleFunction<PolicyCounters> count) {
    counter(
        registry,
        "tollgrid.policies.reads",
        "Reads of policies and credentials by what became of them",
        "result",
        result,
        counters,
        count);
  }

  private <T> void counter(
      final MeterRegistry registry,
      final String name,
      final String description,
      final String key,
      final String value,
      final T counted,
      final ToDoubleFunction<T> count) {
    FunctionCounter.builder(name, counted, count)
        .description(description)
        .tags(tags.and(key, value))
        .register(registry);
  }

  private static String label(final Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
