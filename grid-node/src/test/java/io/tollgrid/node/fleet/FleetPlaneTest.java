package io.tollgrid.node.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.admission.session.Session;
import io.tollgrid.client.CredentialKey;
import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.LeaseSettings;
import io.tollgrid.client.PolicySettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.client.Tracked;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.policy.Assignment;
import io.tollgrid.ledger.policy.AssignmentLeg;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.node.policy.Assignments;
import io.tollgrid.node.policy.Credentials;
import io.tollgrid.node.policy.Publications;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R2, R18, R37, R41, R44, R50, R51 and R55 between whole instances and a real node: what
 * an operator or another instance did is felt by word of it alone, and without a word by the
 * backstop alone. The way that is not meant is made too slow to help.
 */
@Tag("slow")
@Timeout(180)
class FleetPlaneTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofSeconds(20);

  /** How an instance is connected. */
  enum Mode {
    EMBEDDED,
    CLIENT
  }

  private static TestCluster cluster;
  private static HazelcastInstance remote;
  private static LedgerTalk operator;
  private static Publications publications;

  private final SystemClock clock = new SystemClock();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeAll
  static void start() throws SQLException {
    cluster = TestCluster.of(1).start();
    remote = cluster.remote();
    operator = new LedgerTalk(cluster.embeddedClient(0));
    publications = cluster.node(0).publications();
    publications.publish(Plan.open("open", OperationPrice.of("work", MeterPrice.perItem("units"))));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  /** Settings under which nothing is found out by waiting. */
  private static InstanceSettings byWordAlone() {
    final LeaseSettings leases = LeaseSettings.DEFAULTS;
    return InstanceSettings.DEFAULTS
        .with(
            new LeaseSettings(
                leases.ttlNanos(),
                leases.marginNanos(),
                leases.targetNanos(),
                leases.minimumQuotes(),
                leases.shrink(),
                leases.lowWaterShare(),
                leases.idleNanos(),
                NEVER.toNanos(),
                leases.firstBackoffNanos(),
                leases.maxBackoffNanos(),
                NEVER.toNanos(),
                leases.holdNanos(),
                leases.notAfterNanos()))
        .with(PolicySettings.DEFAULTS.refreshedEvery(NEVER));
  }

  private static InstanceSettings byWaitingAlone() {
    return InstanceSettings.DEFAULTS.with(
        PolicySettings.DEFAULTS.refreshedEvery(Duration.ofSeconds(2)));
  }

  private InstanceRuntime instance(Mode mode, InstanceSettings settings, boolean deaf) {
    final InstanceGrid whole =
        InstanceGrid.of(
            mode == Mode.EMBEDDED ? cluster.node(0).hazelcast() : remote,
            "test",
            clock,
            new SimpleMeterRegistry());
    opened.add(whole);
    final InstanceGrid grid =
        deaf
            ? new InstanceGrid(
                whole.ledgers(), whole.policies(), ChangeFeed.silent(), whole.usage())
            : whole;
    final InstanceRuntime runtime = InstanceRuntime.start(grid, clock, new RandomIds(), settings);
    opened.add(runtime);
    Eventually.until(
        "policies are read: " + runtime.readiness(new Tracked.All()),
        SOON,
        () -> runtime.instance().policies().reads() > 0);
    return runtime;
  }

  private Id128 account(long units) {
    final Id128 account = LedgerTalk.id();
    open(account, units);
    return account;
  }

  private void open(Id128 account, long units) {
    operator.ask(
        account,
        new LedgerCommand.Create(
            LedgerTalk.id(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT));
    if (units > 0) {
      deposit(account, units);
    }
  }

  private void deposit(Id128 account, long units) {
    assertThat(operator.ask(account, new LedgerCommand.Deposit(LedgerTalk.id(), units)))
        .isInstanceOf(Outcome.Funded.class);
  }

  private Id128 principalOf(Id128 account) throws SQLException {
    final Id128 principal = LedgerTalk.id();
    publications.publish(PrincipalSnapshot.of(principal, "open", account));
    return principal;
  }

  private @Nullable Denial told(InstanceRuntime instance, Id128 principal, long units) {
    final AdmissionRequest request = instance.newRequest();
    final Denial begun = request.begin(principal, clock.nowNanos());
    final Denial denial =
        begun != null ? begun : request.admit(instance.operation("work"), units, clock.nowNanos());
    if (denial == null) {
      request.cancel();
    }
    return denial;
  }

  private void eventually(
      InstanceRuntime instance, Id128 principal, long units, @Nullable Denial expected) {
    final List<@Nullable Denial> last = new ArrayList<>();
    Eventually.until(
        "requests of " + units + " are told " + expected + ", not " + last,
        SOON,
        () -> {
          last.clear();
          last.add(told(instance, principal, units));
          return last.get(0) == expected;
        });
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aDepositIsFeltByWordOfIt(Mode mode) throws SQLException {
    final Id128 account = account(0);
    final Id128 principal = principalOf(account);
    final InstanceRuntime instance = instance(mode, byWordAlone(), false);
    eventually(instance, principal, 5, Denial.BALANCE_EXHAUSTED);

    deposit(account, 100);

    eventually(instance, principal, 5, null);
  }

  @Test
  void aDepositOfWhichNoWordComesIsFeltByTheBackstop() throws SQLException {
    final Id128 account = account(0);
    final Id128 principal = principalOf(account);
    final InstanceRuntime instance = instance(Mode.EMBEDDED, byWaitingAlone(), true);
    eventually(instance, principal, 5, Denial.BALANCE_EXHAUSTED);

    deposit(account, 100);

    eventually(instance, principal, 5, null);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aSuspensionAndARevocationAreFeltByWordOfThem(Mode mode) throws SQLException {
    final Id128 account = account(100);
    final Id128 principal = principalOf(account);
    final Id128 other = principalOf(account);
    final InstanceRuntime instance = instance(mode, byWordAlone(), false);
    eventually(instance, principal, 1, null);

    publications.revoke(principal);
    eventually(instance, principal, 1, Denial.PRINCIPAL_REVOKED);
    assertThat(told(instance, other, 1)).isNull();
    suspend(account);
    eventually(instance, other, 1, Denial.ACCOUNT_SUSPENDED);
    operator.ask(account, new LedgerCommand.SetStatus(LedgerTalk.id(), AccountStatus.ACTIVE));
    eventually(instance, other, 1, null);
    publications.publish(PrincipalSnapshot.of(principal, "open", account));
    eventually(instance, principal, 1, null);
  }

  private void suspend(Id128 account) {
    operator.ask(account, new LedgerCommand.SetStatus(LedgerTalk.id(), AccountStatus.SUSPENDED));
  }

  /** Whoever published may have died before sending word: no word comes here either. */
  @Test
  void whatNoWordCameOfIsFeltByTheRefresh() throws SQLException {
    final Id128 account = account(100);
    final Id128 principal = principalOf(account);
    final Id128 other = principalOf(account);
    final InstanceRuntime instance = instance(Mode.CLIENT, byWaitingAlone(), true);
    eventually(instance, principal, 1, null);
    eventually(instance, other, 1, null);

    publications.revoke(principal);
    suspend(account);

    eventually(instance, other, 1, Denial.ACCOUNT_SUSPENDED);
    eventually(instance, principal, 1, Denial.PRINCIPAL_REVOKED);
  }

  @Test
  void aCredentialIsProvedAfterItsIssueAndNotAfterItsRetirementByWordOfThem() throws SQLException {
    final CredentialKey key = new CredentialKey(new byte[CredentialKey.BYTES]);
    final Credentials credentials = cluster.node(0).credentials(key);
    final Subject alice = Subject.of("acme/" + LedgerTalk.id());
    publications.publish(PrincipalSnapshot.of(alice.principal(), "open", account(100)));
    final InstanceRuntime instance =
        instance(
            Mode.CLIENT,
            byWordAlone().with(PolicySettings.DEFAULTS.refreshedEvery(NEVER).proving(key)),
            false);

    final Credentials.Issued first =
        credentials.issue(new CredentialBinding.SubjectsUnder("acme/"), Long.MAX_VALUE);
    assertThat(first.toString()).doesNotContain(first.token());
    final Session session = instance.newSession();
    Eventually.until("it is proved", SOON, () -> proves(session, first.token()));
    final AdmissionRequest request = instance.newRequest();
    Eventually.until(
        "a request of a subject under it begins",
        SOON,
        () -> request.begin(session, alice, null, clock.nowNanos()) == null);
    request.close();
    final Credentials.Issued second =
        credentials.rotate(first.keyId(), Duration.ofHours(1), Long.MAX_VALUE);
    credentials.retire(first.keyId());

    Eventually.until("its session ends", SOON, () -> session.credential(clock.nowNanos()) == null);
    Eventually.until("the next is proved", SOON, () -> proves(session, second.token()));
    // Its earlier end, by rotation, ended the session's proof; its retirement ends it for good.
    Eventually.until(
        "the first is not proved any more", SOON, () -> !proves(session, first.token()));
    assertThat(proves(session, second.token())).isTrue();
  }

  private boolean proves(Session session, String token) {
    final byte[] bytes = token.getBytes(StandardCharsets.US_ASCII);
    return session.authenticate(bytes, bytes.length, clock.nowNanos());
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aSubjectThatIsIntroducedFollowsItsAssignmentAndKeepsItsAccount(Mode mode) throws Exception {
    final Assignments assignments = cluster.node(0).assignments();
    final String tenant = LedgerTalk.id() + "/";
    final Subject alice = Subject.of(tenant + "alice");
    open(alice.principal(), 100);
    publications.publish(Plan.open("small", workOfUpTo(5)));
    assignments.publish(Assignment.of(tenant, "open", AssignmentLeg.own()));
    final InstanceRuntime instance = instance(mode, byWordAlone(), false);
    assertThat(told(instance, alice.principal(), 1)).isEqualTo(Denial.UNKNOWN_PRINCIPAL);

    assertThat(introduced(instance, alice)).isEqualTo(Introduction.PUBLISHED);
    eventually(instance, alice.principal(), 30, null);
    spend(instance, alice.principal(), 30);

    assignments.publish(Assignment.of(tenant, "small", AssignmentLeg.own()));
    eventually(instance, alice.principal(), 30, Denial.TOO_MANY_ITEMS);
    eventually(instance, alice.principal(), 5, null);
    assertThat(billed(alice.principal())).isEqualTo(30);
    assignments.publish(Assignment.of(tenant, "open", AssignmentLeg.own()));
    eventually(instance, alice.principal(), 70, null);
    eventually(instance, alice.principal(), 71, Denial.BALANCE_INSUFFICIENT);
    assignments.withdraw(tenant);
    eventually(instance, alice.principal(), 1, Denial.PRINCIPAL_REVOKED);
    assertThat(billed(alice.principal())).isEqualTo(30);
  }

  private static OperationPrice workOfUpTo(long items) {
    return new OperationPrice(
        "work",
        List.of(MeterPrice.perItem("units")),
        1,
        items,
        Billing.PER_REQUEST,
        Duration.ofMinutes(1));
  }

  private static Introduction introduced(InstanceRuntime instance, Subject subject) {
    return instance.introduce(subject).toCompletableFuture().join();
  }

  private void spend(InstanceRuntime instance, Id128 principal, long units)
      throws InterruptedException {
    final AdmissionRequest request = instance.newRequest();
    assertThat(request.begin(principal, clock.nowNanos())).isNull();
    assertThat(request.admit(instance.operation("work"), units, clock.nowNanos())).isNull();
    assertThat(request.start(clock.nowNanos())).isNull();
    request.settle(units, clock.nowNanos());
    assertThat(instance.flush(SOON)).isTrue();
  }

  private static long billed(Id128 account) throws SQLException {
    return cluster
        .postgres()
        .number("SELECT billed FROM account WHERE id = '" + account.toUuid() + "'");
  }

  @Test
  void whoHasNoPlanOrNoAccountStaysDeniedAndIsListedOrToldWhy() throws SQLException {
    final Assignments assignments = cluster.node(0).assignments();
    final String tenant = LedgerTalk.id() + "/";
    assignments.publish(Assignment.of(tenant, "open", AssignmentLeg.own()));
    final InstanceRuntime instance = instance(Mode.CLIENT, byWordAlone(), false);
    final Subject stranger = Subject.of("stranger of " + tenant);
    final Subject poor = Subject.of(tenant + "poor");

    assertThat(introduced(instance, stranger)).isEqualTo(Introduction.NO_PLAN);
    final Introduction refused = introduced(instance, poor);

    assertThat(refused.result()).isEqualTo(Introduction.Result.REFUSED);
    assertThat(refused.reason()).isEqualTo("legs: there is no account " + poor.principal());
    eventually(instance, stranger.principal(), 1, Denial.UNKNOWN_PRINCIPAL);
    eventually(instance, poor.principal(), 1, Denial.UNKNOWN_PRINCIPAL);
    assertThat(assignments.withoutPlan(Id128.ZERO, 512)).contains(stranger).doesNotContain(poor);
  }

  @Test
  void unitsThatOthersHoldIdleComeByWordOfTheRecall() throws SQLException {
    final Id128 account = account(100);
    final Id128 principal = principalOf(account);
    final List<InstanceRuntime> holders = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      final InstanceRuntime holder = instance(Mode.EMBEDDED, byWordAlone(), false);
      holders.add(holder);
      eventually(holder, principal, 1, null);
    }
    final InstanceRuntime asker = instance(Mode.CLIENT, byWordAlone(), false);

    eventually(asker, principal, 100, null);

    assertThat(holders.stream().mapToLong(h -> h.instance().refills().recallsAnswered()).sum())
        .isPositive();
  }

  /** Witnesses R41 on a real ledger. */
  @Test
  void whoShutsDownLeavesNothingBehind() throws Exception {
    final Id128 account = account(1_000);
    final Id128 principal = principalOf(account);
    final InstanceRuntime instance = instance(Mode.CLIENT, InstanceSettings.DEFAULTS, false);
    eventually(instance, principal, 10, null);

    final ShutdownReport report = instance.shutdown(Duration.ofSeconds(20));

    assertThat(report.isClean()).as("%s", report).isTrue();
    assertThat(
            cluster
                .postgres()
                .number("SELECT outstanding FROM account WHERE id = '" + account.toUuid() + "'"))
        .isZero();
  }
}
