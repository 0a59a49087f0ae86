package io.tollgrid.client;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fleet plane in one thread and in virtual time: real instances, ledgers behind a network that
 * loses and delays, an authority that errs, word that gets lost; every event drawn from a seed, and
 * the rules held up to what is in force after each.
 *
 * <p>A seed always does the same. Nothing here is safe for use by two threads; two seeds may run in
 * two.
 */
public final class FleetSimulation {
  /** How long everything may take to be well again once nothing goes wrong any more. */
  private static final long HEALED_NANOS =
      FleetScale.TTL_NANOS + FleetScale.GRACE_NANOS + 2 * FleetScale.REFRESHED_NANOS;

  private static final long SHUTDOWN_NANOS = 20 * FleetScale.SECOND;

  /**
   * What a run came to.
   *
   * @param events those that happened, in order, with the one that broke a rule as the last
   * @param coverage how often each cell of the coverage table was reached
   * @param finding the rule that was broken, without numbers, or null
   * @param detail the same with its numbers, or null
   */
  public record Run(
      List<FleetEvent> events,
      Map<String, Long> coverage,
      @Nullable String finding,
      @Nullable String detail) {}

  private FleetSimulation() {}

  /** Draws so many events from a seed, and brings the fleet to rest. */
  public static Run draw(long seed, int events) {
    final SplittableRandom random = new SplittableRandom(seed);
    int all = 0;
    for (final FleetEvent.Kind kind : FleetEvent.Kind.values()) {
      all += kind.weight;
    }
    final List<FleetEvent> drawn = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      int left = random.nextInt(all);
      FleetEvent.Kind drawnKind = FleetEvent.Kind.REQUEST;
      for (final FleetEvent.Kind kind : FleetEvent.Kind.values()) {
        if (left >= 0) {
          drawnKind = kind;
        }
        left -= kind.weight;
      }
      drawn.add(new FleetEvent(drawnKind, random.nextLong()));
    }
    return replay(seed, drawn, line -> {});
  }

  /** Lets these events happen in the world of a seed; {@code narrator} hears what each came to. */
  public static Run replay(long seed, List<FleetEvent> events, Consumer<String> narrator) {
    final FleetCoverage coverage = new FleetCoverage();
    int happened = 0;
    try {
      final FleetWorld world = new FleetWorld(seed, coverage);
      final FleetOperations operations = new FleetOperations(world);
      for (final FleetEvent event : events) {
        happened++;
        final long atMillis = (world.now() - SimulatedFleet.START_NANOS) / FleetScale.MILLI;
        narrator.accept(atMillis + " ms  " + event.kind());
        narrator.accept("    " + operations.execute(event));
      }
      narrator.accept("and the fleet is brought to rest");
      rest(world);
      return new Run(events, coverage.cells(), null, null);
    } catch (FleetViolation broken) {
      return new Run(
          List.copyOf(events.subList(0, happened)),
          coverage.cells(),
          broken.finding(),
          broken.getMessage());
    }
  }

  private static void rest(FleetWorld world) {
    world.calmDown();
    world.goOn();
    for (final Id128 account : FleetScale.HOMES) {
      world.status(account, AccountStatus.ACTIVE);
      world.deposit(account, 200);
    }
    world.pass(HEALED_NANOS);
    world.audit().afterEvent();
    for (final FleetNode node : world.nodes()) {
      if (node.isRunning()) {
        serves(world, node);
      }
    }
    for (final FleetNode node : world.nodes()) {
      if (node.isRunning()) {
        node.shutDown(SHUTDOWN_NANOS);
      }
    }
    world.pass(2 * SHUTDOWN_NANOS);
    for (final FleetNode node : world.nodes()) {
      world.audit().fail("R41", "every shutdown ends", node.toString());
    }
    world.pass(FleetScale.TTL_NANOS + FleetScale.GRACE_NANOS + FleetScale.SECOND);
    world.audit().afterEvent();
    world.audit().atTheEnd();
  }

  /** Once all is well, whoever may be served is, within a lease's time (R2, R39). */
  private static void serves(FleetWorld world, FleetNode node) {
    for (final Id128 principal : FleetScale.PRINCIPALS) {
      final boolean mayBe =
          node.tracks(principal)
              && world.authority().principal(principal)
                  instanceof PrincipalPolicy.Published published
              && !published.snapshot().plan().equals(FleetScale.GHOST_PLAN);
      if (!mayBe) {
        continue;
      }
      final long endNanos = world.now() + FleetScale.TTL_NANOS;
      Denial denial = node.probe(principal);
      while (denial != null && world.now() < endNanos) {
        world.pass(50 * FleetScale.MILLI);
        denial = node.probe(principal);
      }
      if (denial != null) {
        world
            .audit()
            .fail("R2", "a funded unit is reachable", node + ", " + principal + ": " + denial);
        world.audit().raise();
      }
    }
  }
}
