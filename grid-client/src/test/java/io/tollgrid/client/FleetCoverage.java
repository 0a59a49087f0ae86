package io.tollgrid.client;

import io.tollgrid.admission.denial.Denial;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How often each cell of the coverage table was reached: each event by what it hit, each answer of
 * the request path, each scenario. Confined to a thread; tables are merged.
 */
final class FleetCoverage {
  /**
   * What no request of this fleet is told: it asks for none of it, or nothing here is so. Of the
   * refusals at start only those are met that do not need others to hold overage meanwhile.
   */
  private static final Set<Denial> UNREACHABLE =
      EnumSet.of(
          Denial.ACCOUNT_CLOSED,
          Denial.ROUTE_FORBIDDEN,
          Denial.WORK_FORBIDDEN,
          Denial.UNKNOWN_OPERATION,
          Denial.TOO_MANY_ITEMS,
          Denial.COST_OVERFLOW,
          Denial.UNMETERED,
          Denial.UNPRICEABLE_UNDER_LIMITS,
          Denial.REQUEST_RATE_LIMITED,
          Denial.RATE_LIMITED,
          Denial.OVERAGE_COMMIT_IN_PROGRESS,
          Denial.LEG_CONFLICT,
          Denial.START_CAPACITY_SHED,
          Denial.START_OVERAGE_TEMPORARILY_EXHAUSTED,
          Denial.START_OVERAGE_COMMIT_IN_PROGRESS,
          Denial.START_CANCELLED);

  private final Map<FleetEvent.Kind, Map<FleetCondition, Long>> events =
      new EnumMap<>(FleetEvent.Kind.class);
  private final Map<Denial, Long> denials = new EnumMap<>(Denial.class);
  private final Map<FleetScenario, Long> scenarios = new EnumMap<>(FleetScenario.class);

  void happened(FleetEvent.Kind kind, Set<FleetCondition> hit) {
    final Map<FleetCondition, Long> row =
        events.computeIfAbsent(kind, it -> new EnumMap<>(FleetCondition.class));
    hit.forEach(condition -> row.merge(condition, 1L, Long::sum));
  }

  void denied(Denial denial) {
    denials.merge(denial, 1L, Long::sum);
  }

  void saw(FleetScenario scenario) {
    scenarios.merge(scenario, 1L, Long::sum);
  }

  /** Every cell with its count, by a stable name, in a stable order. */
  Map<String, Long> cells() {
    final Map<String, Long> cells = new LinkedHashMap<>();
    for (final FleetEvent.Kind kind : FleetEvent.Kind.values()) {
      for (final FleetCondition condition : FleetCondition.values()) {
        cells.put(
            "event " + kind + " " + condition,
            events.getOrDefault(kind, Map.of()).getOrDefault(condition, 0L));
      }
    }
    for (final Denial denial : Denial.values()) {
      if (!UNREACHABLE.contains(denial)) {
        cells.put("denied " + denial, denials.getOrDefault(denial, 0L));
      }
    }
    for (final FleetScenario scenario : FleetScenario.values()) {
      cells.put("scenario " + scenario, scenarios.getOrDefault(scenario, 0L));
    }
    return cells;
  }
}
