package io.tollgrid.client;

import io.tollgrid.admission.session.Session;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RateLimits;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Makes events happen in a world, and says in a few words what each came to. */
final class FleetOperations {
  private final FleetWorld world;

  FleetOperations(FleetWorld world) {
    this.world = world;
  }

  /** Does one event, lets some time pass, and holds the fleet to its rules. */
  String execute(FleetEvent event) {
    final SplittableRandom random = new SplittableRandom(event.salt());
    world.coverage().happened(event.kind(), world.conditions());
    final String what = happen(event.kind(), random);
    world.pass(pauseNanos(event.kind(), random));
    world.audit().afterEvent();
    return what;
  }

  private static long pauseNanos(FleetEvent.Kind kind, SplittableRandom random) {
    if (kind == FleetEvent.Kind.QUIET) {
      return FleetScale.SECOND * (2 + random.nextLong(25));
    }
    return switch (random.nextInt(10)) {
      case 0 -> random.nextLong(2 * FleetScale.SECOND);
      case 1, 2, 3 -> random.nextLong(300 * FleetScale.MILLI);
      default -> random.nextLong(20 * FleetScale.MILLI);
    };
  }

  private String happen(FleetEvent.Kind kind, SplittableRandom random) {
    return switch (kind) {
      case REQUEST -> request(random, 1);
      case BURST -> request(random, 4 + random.nextInt(16));
      case STRANGER -> stranger(random);
      case SESSION_REQUEST -> sessionRequest(random);
      case DEPOSIT -> deposit(random);
      case SUSPEND -> status(random, AccountStatus.SUSPENDED);
      case ACTIVATE -> status(random, AccountStatus.ACTIVE);
      case TERMS -> terms(random);
      case PUBLISH_SNAPSHOT -> publish(random, FleetScale.PLANS.get(random.nextInt(2)));
      case PUBLISH_UNSAFE -> publish(random, FleetScale.GHOST_PLAN);
      case PUBLISH_PLAN -> plan(random);
      case PUBLISH_DURING_SUSPENSION -> race(random);
      case REVOKE -> revoke(random);
      case READMIT -> readmit(random);
      case ISSUE -> issue(random);
      case ROTATE -> rotate(random);
      case RETIRE -> retire(random);
      case WORD_TROUBLE -> {
        world
            .topic()
            .manners(
                random.nextInt(3) == 0
                    ? SimulatedTopic.Manners.SILENT
                    : SimulatedTopic.Manners.BAD);
        yield world.topic().manners().toString();
      }
      case READ_TROUBLE -> {
        world.authority().manners(SimulatedAuthority.Manners.BAD);
        yield "reads go wrong";
      }
      case ROUGH_WEATHER -> {
        world.weather(
            random.nextBoolean()
                ? SimulatedLedgers.Weather.STORMY
                : SimulatedLedgers.Weather.ROUGH);
        yield world.ledgers().weather().toString();
      }
      case CALM_DOWN -> {
        world.calmDown();
        yield "all goes well";
      }
      case STANDSTILL -> {
        final long nanos = FleetScale.SECOND + random.nextLong(20 * FleetScale.SECOND);
        world.standStill(nanos);
        yield "for " + nanos / FleetScale.MILLI + " ms";
      }
      case CRASH -> crash(random);
      case SHUT_DOWN -> shutDown(random);
      case START -> start(random);
      case QUIET -> "";
      case PROBE -> {
        world.nodes().forEach(world.audit()::probe);
        yield "all instances";
      }
    };
  }

  // Whom and what

  private static <T> T some(SplittableRandom random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static Id128 home(SplittableRandom random) {
    return some(random, FleetScale.HOMES);
  }

  private static Id128 principal(SplittableRandom random) {
    return some(random, FleetScale.PRINCIPALS);
  }

  /** Mostly short and small; at times longer than a lease, or larger than any. */
  private static FleetNode.Work work(SplittableRandom random) {
    final long items = random.nextInt(12) == 0 ? random.nextLong(300) : 1 + random.nextLong(12);
    final long start =
        random.nextInt(12) == 0
            ? random.nextLong(12 * FleetScale.SECOND)
            : random.nextLong(10 * FleetScale.MILLI);
    final long run =
        random.nextInt(12) == 0
            ? random.nextLong(20 * FleetScale.SECOND)
            : random.nextLong(200 * FleetScale.MILLI);
    return new FleetNode.Work(
        items,
        start,
        random.nextInt(8) == 0,
        run,
        random.nextInt(4) == 0 ? random.nextLong(20) : 0,
        random.nextLong(2 * items + 1),
        1 + random.nextInt(8));
  }

  // Requests

  private String request(SplittableRandom random, int count) {
    final List<FleetNode> nodes = world.nodes();
    if (nodes.isEmpty()) {
      return "nobody is there";
    }
    final FleetNode node = some(random, nodes);
    final Id128 principal = principal(random);
    for (int i = 0; i < count; i++) {
      node.serve(principal, work(random));
    }
    return count + " of principal " + FleetScale.PRINCIPALS.indexOf(principal) + " at " + node;
  }

  private String stranger(SplittableRandom random) {
    final List<FleetNode> nodes = world.nodes();
    if (nodes.isEmpty()) {
      return "nobody is there";
    }
    final FleetNode node = some(random, nodes);
    node.serve(
        random.nextBoolean() ? FleetScale.STRANGER : new Id128(9, random.nextLong(6)),
        work(random));
    return "at " + node;
  }

  private String sessionRequest(SplittableRandom random) {
    final List<FleetNode> nodes = world.nodes();
    if (nodes.isEmpty() || world.credentials().isEmpty()) {
      return "nobody is there";
    }
    final FleetNode node = some(random, nodes);
    final FleetWorld.Issued credential = some(random, world.credentials());
    final Session session = node.session(random.nextInt(8));
    final var before = session.credential(world.now());
    final boolean proved =
        session.authenticate(credential.token, credential.token.length, world.now());
    if (proved) {
      world.audit().accepted(node, credential);
      if (before != null && before.keyId().equals(credential.keyId)) {
        world.coverage().saw(FleetScenario.PROOF_KEPT);
      }
    }
    node.serve(session, work(random));
    return "with " + credential.keyId + " at " + node + (proved ? "" : ", refused");
  }

  // Operators

  private String deposit(SplittableRandom random) {
    final Id128 account =
        random.nextBoolean()
            ? home(random)
            : Collections.min(
                FleetScale.HOMES,
                Comparator.comparingLong(it -> world.ledger(it).balances().remaining()));
    final long units = 1 + random.nextLong(60);
    world.deposit(account, units);
    return units + " to " + account;
  }

  private String status(SplittableRandom random, AccountStatus status) {
    final Id128 account =
        status == AccountStatus.ACTIVE
            ? FleetScale.HOMES.stream()
                .filter(it -> world.ledger(it).policy().status() == AccountStatus.SUSPENDED)
                .findFirst()
                .orElse(home(random))
            : home(random);
    world.status(account, status);
    return account.toString();
  }

  private String terms(SplittableRandom random) {
    final Id128 account = home(random);
    final AccountTerms before = world.ledger(account).policy().terms();
    final long ceiling = random.nextBoolean() ? 0 : 2 + random.nextLong(3);
    world.operate(
        account,
        new LedgerCommand.SetTerms(
            world.ledgers().operatorId(),
            before.mode() == EnforcementMode.STRICT
                ? new AccountTerms(EnforcementMode.STRICT, 0, RateLimits.NONE, ceiling)
                : new AccountTerms(
                    EnforcementMode.ELASTIC, before.overageCapUnits(), RateLimits.NONE, ceiling)));
    return account + ", ceiling " + ceiling;
  }

  private String publish(SplittableRandom random, String plan) {
    return publish(random, principal(random), home(random), plan);
  }

  private String publish(SplittableRandom random, Id128 principal, Id128 home, String plan) {
    final List<SnapshotLeg> legs = new ArrayList<>(List.of(SnapshotLeg.of(home)));
    if (random.nextInt(3) == 0) {
      legs.add(SnapshotLeg.of(FleetScale.PARENT));
    }
    final PrincipalSnapshot snapshot =
        new PrincipalSnapshot(principal, 1, plan, legs, random.nextInt(3) == 0 ? 1 : 0);
    world.publish(snapshot);
    return "principal " + FleetScale.PRINCIPALS.indexOf(principal) + " on " + plan + ", " + home;
  }

  private String plan(SplittableRandom random) {
    final String name = some(random, FleetScale.PLANS);
    final long price = 1 + random.nextLong(3);
    world.publish(FleetWorld.plan(name, price));
    return name + " at " + price;
  }

  /**
   * A publication and a suspension of the same account, in either order, word of both under way.
   */
  private String race(SplittableRandom random) {
    final Id128 account = home(random);
    final boolean suspendsFirst = random.nextBoolean();
    if (suspendsFirst) {
      world.status(account, AccountStatus.SUSPENDED);
    }
    final String published =
        publish(random, principal(random), account, FleetScale.PLANS.get(random.nextInt(2)));
    if (!suspendsFirst) {
      world.status(account, AccountStatus.SUSPENDED);
    }
    world.coverage().saw(FleetScenario.PUBLICATION_RACED_SUSPENSION);
    return published + (suspendsFirst ? ", after" : ", before") + " its suspension";
  }

  private String revoke(SplittableRandom random) {
    final Id128 principal = principal(random);
    world.revoke(principal);
    return "principal " + FleetScale.PRINCIPALS.indexOf(principal);
  }

  private String readmit(SplittableRandom random) {
    for (final Id128 principal : FleetScale.PRINCIPALS) {
      final boolean out =
          !(world.authority().principal(principal) instanceof PrincipalPolicy.Published published)
              || published.snapshot().plan().equals(FleetScale.GHOST_PLAN);
      if (out && random.nextInt(3) > 0) {
        return publish(random, principal, home(random), FleetScale.PLANS.get(random.nextInt(2)));
      }
    }
    return "nobody is out";
  }

  private String issue(SplittableRandom random) {
    if (world.credentials().size() >= FleetScale.MAX_CREDENTIALS) {
      return "enough of them";
    }
    final long expires =
        random.nextBoolean()
            ? Long.MAX_VALUE
            : world.now() + random.nextLong(30 * FleetScale.SECOND);
    return world.issue(principal(random), expires).keyId.toString();
  }

  private String rotate(SplittableRandom random) {
    if (world.credentials().isEmpty() || world.credentials().size() >= FleetScale.MAX_CREDENTIALS) {
      return "nothing to rotate";
    }
    final FleetWorld.Issued before = some(random, world.credentials());
    final FleetWorld.Issued next = world.issue(before.principal, Long.MAX_VALUE);
    if (random.nextBoolean()) {
      world.expireBy(before, world.now() + random.nextLong(8 * FleetScale.SECOND));
    } else {
      world.time().after(random.nextLong(30 * FleetScale.MILLI), () -> world.retire(before));
    }
    world.coverage().saw(FleetScenario.CREDENTIAL_ROTATED);
    return before.keyId + " to " + next.keyId;
  }

  private String retire(SplittableRandom random) {
    if (world.credentials().isEmpty()) {
      return "there is none";
    }
    final FleetWorld.Issued credential = some(random, world.credentials());
    world.retire(credential);
    return credential.keyId.toString();
  }

  // Instances

  private String crash(SplittableRandom random) {
    if (world.nodes().size() < 2) {
      return "the last one stays";
    }
    final FleetNode node = some(random, world.nodes());
    node.crash();
    return node.toString();
  }

  private String shutDown(SplittableRandom random) {
    final List<FleetNode> running = world.nodes().stream().filter(FleetNode::isRunning).toList();
    if (running.size() < 2) {
      return "the last one stays";
    }
    final FleetNode node = some(random, running);
    final long total = FleetScale.SECOND * (1 + random.nextLong(12));
    node.shutDown(total);
    return node + " within " + total / FleetScale.SECOND + " s";
  }

  private String start(SplittableRandom random) {
    if (world.nodes().size() >= FleetScale.MAX_INSTANCES) {
      return "enough of them";
    }
    final Tracked tracked;
    if (random.nextInt(3) == 0) {
      final Set<Id128> fixed = new LinkedHashSet<>();
      fixed.add(principal(random));
      fixed.add(principal(random));
      tracked = new Tracked.Fixed(fixed);
    } else {
      tracked = new Tracked.All();
    }
    return world.start(tracked) + (tracked instanceof Tracked.Fixed ? " for a few" : " for all");
  }
}
