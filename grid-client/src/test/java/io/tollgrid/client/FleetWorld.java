package io.tollgrid.client;

import io.tollgrid.grid.Announced;
import io.tollgrid.grid.Change;
import io.tollgrid.grid.usage.LocalUsageInbox;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Everything there is in the simulated fleet plane: ledgers, the authority, the topic, the
 * instances that live, and those that are gone. One thread, virtual time.
 */
final class FleetWorld {
  /** How often the sweeps of a grid look for leases that are due. */
  private static final long SWEEP_NANOS = FleetScale.SECOND;

  /** A credential as its owner knows it, with the token that is presented. */
  static final class Issued {
    final Id128 keyId;
    final Id128 principal;
    final byte[] token;
    long expiresAtNanos;
    long changedAtNanos;
    long retiredAtNanos = Long.MAX_VALUE;

    Issued(Id128 keyId, Id128 principal, byte[] token, long expiresAtNanos, long issuedAtNanos) {
      this.keyId = keyId;
      this.principal = principal;
      this.token = token;
      this.expiresAtNanos = expiresAtNanos;
      this.changedAtNanos = issuedAtNanos;
    }
  }

  private final boolean forgetful;
  private final SimulatedFleet fleet;
  private final FleetCoverage coverage;
  private final SimulatedTopic topic;
  private final SimulatedAuthority authority;
  private final FleetAudit audit;
  private final List<FleetNode> nodes = new ArrayList<>();
  private final List<FleetNode> gone = new ArrayList<>();
  private final List<Issued> credentials = new ArrayList<>();
  private final Map<Id128, Long> fundedVersion = new HashMap<>();
  private final Map<Id128, Long> fundedAtNanos = new HashMap<>();
  private long lastRoughNanos = Long.MIN_VALUE;
  private long standstillUntilNanos;
  private int started;
  private int issued;

  FleetWorld(long seed, FleetCoverage coverage) {
    final SplittableRandom random = new SplittableRandom(seed);
    this.forgetful = random.nextBoolean();
    this.fleet =
        new SimulatedFleet(random.nextLong(), SimulatedLedgers.Weather.FAIR, FleetScale.LIMITS);
    this.coverage = coverage;
    this.topic = new SimulatedTopic(fleet.time, random.split(), coverage);
    // Whoever has forgotten cannot tell old from new: it relies on answers as of their question.
    this.authority = new SimulatedAuthority(fleet.time, random.split(), !forgetful);
    this.audit = new FleetAudit(this);
    fleet.ledgers.onApplied(this::applied);
    found(random);
  }

  private void found(SplittableRandom random) {
    FleetScale.PLANS.forEach(name -> authority.publish(plan(name, 1)));
    for (final Id128 account : FleetScale.HOMES) {
      fleet.ledgers.create(
          account,
          account.equals(FleetScale.ELASTIC)
              ? AccountTerms.elastic(FleetScale.OVERAGE_CAP_UNITS)
              : AccountTerms.STRICT,
          50 + random.nextLong(200));
    }
    fleet.ledgers.create(FleetScale.PARENT, AccountTerms.STRICT, 100_000);
    for (int i = 0; i < FleetScale.PRINCIPALS.size() - 1; i++) {
      authority.publish(
          PrincipalSnapshot.of(
              FleetScale.PRINCIPALS.get(i),
              FleetScale.PLANS.get(i % 2),
              FleetScale.HOMES.get(i % FleetScale.HOMES.size())));
    }
    for (int i = 0; i < 3; i++) {
      issue(FleetScale.PRINCIPALS.get(i), Long.MAX_VALUE);
    }
    start(new Tracked.All());
    start(new Tracked.All());
    fleet.time.after(SWEEP_NANOS, this::sweep);
  }

  static Plan plan(String name, long unitsPerItem) {
    return Plan.open(name, OperationPrice.of("work", new MeterPrice("units", 0, unitsPerItem, 0)));
  }

  // What is there

  VirtualTime time() {
    return fleet.time;
  }

  long now() {
    return fleet.time.nowNanos();
  }

  FleetCoverage coverage() {
    return coverage;
  }

  FleetAudit audit() {
    return audit;
  }

  SimulatedTopic topic() {
    return topic;
  }

  SimulatedAuthority authority() {
    return authority;
  }

  SimulatedLedgers ledgers() {
    return fleet.ledgers;
  }

  boolean isForgetful() {
    return forgetful;
  }

  /** Instances that live. */
  List<FleetNode> nodes() {
    return List.copyOf(nodes);
  }

  /** Instances that do not live any more. */
  List<FleetNode> gone() {
    return gone;
  }

  List<Issued> credentials() {
    return credentials;
  }

  AccountLedger ledger(Id128 account) {
    return fleet.ledgers.ledger(account);
  }

  int instancesEver() {
    return started;
  }

  /** The ledger version of the last deposit. */
  long fundedVersion(Id128 account) {
    return fundedVersion.getOrDefault(account, 0L);
  }

  long fundedAtNanos(Id128 account) {
    return fundedAtNanos.getOrDefault(account, Long.MIN_VALUE);
  }

  /** Whether no command failed, and the grid did not stand still, since then. */
  boolean commandsWellSince(long nanos) {
    return fleet.ledgers.weather().equals(SimulatedLedgers.Weather.FAIR)
        && !fleet.ledgers.isStanding()
        && lastRoughNanos < nanos;
  }

  Set<FleetCondition> conditions() {
    final Set<FleetCondition> now = EnumSet.noneOf(FleetCondition.class);
    if (!fleet.ledgers.weather().equals(SimulatedLedgers.Weather.FAIR)) {
      now.add(FleetCondition.ROUGH);
    }
    if (fleet.ledgers.isStanding()) {
      now.add(FleetCondition.STANDSTILL);
    }
    if (!authority.manners().equals(SimulatedAuthority.Manners.GOOD)) {
      now.add(FleetCondition.MISREAD);
    }
    if (!topic.manners().equals(SimulatedTopic.Manners.GOOD)) {
      now.add(FleetCondition.UNHEARD);
    }
    if (now.isEmpty()) {
      now.add(FleetCondition.CALM);
    }
    for (final FleetNode node : nodes) {
      if (node.tap.isAsking()) {
        now.add(FleetCondition.COMMAND_UNDER_WAY);
      }
      if (node.tap.isParked()) {
        now.add(FleetCondition.PARKED);
      }
      if (node.reader.isReading()) {
        now.add(FleetCondition.READ_UNDER_WAY);
      }
      if (node.runsWork()) {
        now.add(FleetCondition.WORK_RUNNING);
      }
      if (node.isStopping()) {
        now.add(FleetCondition.STOPPING);
      }
    }
    return now;
  }

  // Time

  void pass(long nanos) {
    fleet.runFor(nanos);
  }

  // Instances

  FleetNode start(Tracked tracked) {
    final SimulatedAuthority.Reader reader = new SimulatedAuthority.Reader();
    final FleetTap tap = new FleetTap(fleet.ledgers.client(), audit, coverage);
    final Instance instance =
        fleet.start(
            new InstanceGrid(
                tap, authority.source(reader), topic, new LocalUsageInbox(tap, fleet.time)),
            FleetScale.settings(tracked, forgetful));
    final FleetNode node = new FleetNode(this, ++started, tracked, instance, reader, tap);
    tap.of(node);
    nodes.add(node);
    return node;
  }

  void left(FleetNode node) {
    fleet.drop(node.instance);
    nodes.remove(node);
    gone.add(node);
  }

  // Operators

  Outcome operate(Id128 account, LedgerCommand command) {
    return fleet.ledgers.operate(account, command);
  }

  void deposit(Id128 account, long units) {
    final Outcome outcome =
        operate(account, new LedgerCommand.Deposit(fleet.ledgers.operatorId(), units));
    if (outcome instanceof Outcome.Funded funded) {
      fundedVersion.put(account, funded.version());
      fundedAtNanos.put(account, now());
    }
  }

  void status(Id128 account, AccountStatus status) {
    if (ledger(account).policy().status() != status) {
      operate(account, new LedgerCommand.SetStatus(fleet.ledgers.operatorId(), status));
    }
  }

  void publish(PrincipalSnapshot snapshot) {
    authority.publish(snapshot);
    topic.publish(new Change.PrincipalChanged(snapshot.principal()));
  }

  void publish(Plan plan) {
    authority.publish(plan);
    topic.publish(new Change.PlanChanged(plan.name()));
  }

  void revoke(Id128 principal) {
    if (authority.revoke(principal)) {
      topic.publish(new Change.PrincipalChanged(principal));
    }
  }

  Issued issue(Id128 principal, long expiresAtNanos) {
    final Id128 keyId = new Id128(7, ++issued);
    final byte[] random = new byte[CredentialToken.RANDOM_BYTES];
    random[0] = (byte) issued;
    random[1] = (byte) (issued >> 8);
    final byte[] token = CredentialToken.of(keyId, random);
    authority.issue(
        new CredentialRecord(
            keyId,
            FleetScale.KEY.digest(token, token.length),
            new CredentialBinding.OneSubject(principal),
            expiresAtNanos));
    final Issued entered = new Issued(keyId, principal, token, expiresAtNanos, now());
    credentials.add(entered);
    topic.publish(new Change.CredentialsChanged());
    return entered;
  }

  void expireBy(Issued credential, long nanos) {
    credential.expiresAtNanos = Math.min(nanos, credential.expiresAtNanos);
    credential.changedAtNanos = now();
    authority.expireBy(credential.keyId, nanos);
    topic.publish(new Change.CredentialsChanged());
  }

  void retire(Issued credential) {
    credential.retiredAtNanos = Math.min(credential.retiredAtNanos, now());
    authority.retire(credential.keyId);
    topic.publish(new Change.CredentialRetired(credential.keyId));
  }

  private void applied(LedgerRequest request, io.tollgrid.grid.LedgerAnswer answer) {
    if (answer.outcome() instanceof Outcome.Changed) {
      authority.account(request.account(), fleet.ledgers.ledger(request.account()).policy());
    }
    if (answer.outcome() instanceof Outcome.Refused refused) {
      audit.refusedByLedger(request, refused);
    }
    Announced.by(request, answer).forEach(topic::publish);
  }

  private void sweep() {
    if (!fleet.ledgers.isStanding()) {
      for (final Id128 account : FleetScale.ACCOUNTS) {
        audit.beforeReclaim(ledger(account));
        Outcome outcome = operate(account, new LedgerCommand.Reclaim(now()));
        while (outcome instanceof Outcome.Reclaimed reclaimed && reclaimed.saturated()) {
          outcome = operate(account, new LedgerCommand.Reclaim(now()));
        }
        audit.reclaimed(outcome);
      }
    }
    fleet.time.after(SWEEP_NANOS, this::sweep);
  }

  // What goes wrong

  void weather(SimulatedLedgers.Weather weather) {
    lastRoughNanos = now();
    fleet.ledgers.weather(weather);
  }

  /** Everything stands still for so long. */
  void standStill(long nanos) {
    fleet.ledgers.stand(true);
    authority.stand(true);
    standstillUntilNanos = Math.max(standstillUntilNanos, now() + nanos);
    if (nanos > FleetScale.TTL_NANOS + FleetScale.GRACE_NANOS) {
      coverage.saw(FleetScenario.STOOD_STILL_PAST_THE_LEASES);
    }
    fleet.time.after(
        nanos,
        () -> {
          if (now() >= standstillUntilNanos) {
            goOn();
          }
        });
  }

  void goOn() {
    lastRoughNanos = now();
    authority.stand(false);
    if (fleet.ledgers.isStanding()) {
      fleet.ledgers.stand(false);
    }
  }

  /** Ends all that goes wrong. */
  void calmDown() {
    weather(SimulatedLedgers.Weather.FAIR);
    authority.manners(SimulatedAuthority.Manners.GOOD);
    topic.manners(SimulatedTopic.Manners.GOOD);
  }
}
