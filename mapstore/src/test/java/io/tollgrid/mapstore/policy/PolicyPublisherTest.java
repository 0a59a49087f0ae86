package io.tollgrid.mapstore.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Permissions;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.policy.RefusedPublicationException.Reason;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R18, R37 and R42 at rest: generations only rise, a publication looks at its accounts as
 * they are when it commits, and what is read is whole.
 */
@Timeout(60)
class PolicyPublisherTest {
  private static final Id128 ALICE = new Id128(-5, 1);
  private static final Id128 BOB = new Id128(0xB, 1);

  private static final Plan PLAN =
      new Plan(
          "chat",
          1,
          new Bits256(1, 2, 3, 4),
          Permissions.of("api", "batch"),
          Permissions.ALL,
          List.of(
              new OperationPrice(
                  "completion",
                  List.of(new MeterPrice("tokens", 3, 2, 5), MeterPrice.perItem("calls")),
                  64,
                  4_096,
                  Billing.AGGREGATED,
                  Duration.ofMinutes(3)),
              OperationPrice.of("ping", MeterPrice.perItem("calls"))));

  private final Commands commands = new Commands();
  private final AtomicReference<@Nullable String> unsafe = new AtomicReference<>();
  private TestPostgres database;
  private PostgresLedger ledger;
  private LedgerDataSources sources;
  private PolicyPublisher publisher;
  private PostgresPolicyReads reads;
  private Id128 account;
  private Id128 parent;
  private long now;

  @BeforeEach
  void start() throws SQLException {
    database = TestPostgres.migrated();
    now = database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    ledger = PostgresLedger.over(database);
    ledger.takeOver();
    account = commands.nextId();
    parent = commands.nextId();
    ledger.submit(account, commands.create(AccountTerms.elastic(50)), now);
    ledger.submit(parent, commands.create(), now);
    sources = database.dataSources();
    publisher =
        new PolicyPublisher(
            sources.control(), (snapshot, plan, accounts) -> unsafe.get(), () -> now);
    reads = new PostgresPolicyReads(sources.policies());
  }

  @AfterEach
  void stop() {
    sources.close();
    ledger.close();
    database.close();
  }

  private PrincipalSnapshot snapshot(Id128 principal) {
    return new PrincipalSnapshot(
        principal,
        1,
        "chat",
        List.of(new SnapshotLeg(account, Set.of("tokens", "calls")), SnapshotLeg.of(parent)),
        7);
  }

  private PolicySet read(Id128... principals) {
    return reads.read(new PolicyQuery.ByPrincipal(List.of(principals)));
  }

  @Test
  void whatIsPublishedIsReadWithAllThatItNames() throws SQLException {
    publisher.publish(PLAN);
    publisher.publish(snapshot(ALICE));

    final PolicySet set = read(ALICE, BOB);

    assertThat(set.principals()).containsExactly(new PrincipalPolicy.Published(snapshot(ALICE)));
    assertThat(set.plans()).containsExactly(PLAN);
    assertThat(set.accounts()).containsOnlyKeys(account, parent);
    final AccountPolicy policy = set.accounts().get(account);
    assertThat(policy).isNotNull();
    assertThat(policy.terms()).isEqualTo(AccountTerms.elastic(50));
    assertThat(reads.read(new PolicyQuery.ByPlan("chat")).plans()).containsExactly(PLAN);
    assertThat(reads.read(new PolicyQuery.ByAccount(List.of(parent, BOB))).accounts())
        .containsOnlyKeys(parent);
  }

  @Test
  void generationsAreAllocatedAndTheSameAgainIsNoNewOne() throws SQLException {
    assertThat(publisher.publish(PLAN.withGeneration(99)).generation()).isEqualTo(1);
    assertThat(publisher.publish(PLAN).generation()).isEqualTo(1);
    final Plan dearer = Plan.open("chat", OperationPrice.of("ping", MeterPrice.perItem("calls")));
    assertThat(publisher.publish(dearer).generation()).isEqualTo(2);
    assertThat(publisher.publish(PLAN).generation()).isEqualTo(3);

    assertThat(publisher.publish(snapshot(ALICE)).generation()).isEqualTo(1);
    assertThat(publisher.publish(snapshot(ALICE)).generation()).isEqualTo(1);
    assertThat(publisher.publish(PrincipalSnapshot.of(ALICE, "chat", parent)).generation())
        .isEqualTo(2);
    assertThat(publisher.revoke(ALICE)).isEqualTo(new PrincipalPolicy.Revoked(ALICE, 3));
    assertThat(publisher.revoke(ALICE)).isEqualTo(new PrincipalPolicy.Revoked(ALICE, 3));
    assertThat(read(ALICE).principals()).containsExactly(new PrincipalPolicy.Revoked(ALICE, 3));
    assertThat(publisher.publish(snapshot(ALICE)).generation()).isEqualTo(4);
    assertThat(read(ALICE).plans()).containsExactly(PLAN.withGeneration(3));
  }

  @Test
  void publicationsAtOnceGetDifferentGenerations() throws Exception {
    publisher.publish(PLAN);
    final ExecutorService many = Executors.newFixedThreadPool(3);
    final List<Future<Long>> publications = new ArrayList<>();
    for (int i = 1; i <= 30; i++) {
      final int ceiling = i;
      publications.add(
          many.submit(
              () ->
                  publisher
                      .publish(
                          new PrincipalSnapshot(
                              ALICE, 1, "chat", List.of(SnapshotLeg.of(account)), ceiling))
                      .generation()));
    }
    final Set<Long> generations = new HashSet<>();
    for (final Future<Long> publication : publications) {
      generations.add(publication.get(30, TimeUnit.SECONDS));
    }
    many.shutdown();

    assertThat(generations).hasSize(30).contains(1L, 30L);
  }

  @Test
  void whatNamesNothingOrIsUnsafeIsRefusedAndChangesNothing() throws SQLException {
    refused(Reason.UNKNOWN_PLAN, "plan");
    publisher.publish(PLAN);
    final Id128 nobody = commands.nextId();
    assertThatThrownBy(() -> publisher.publish(PrincipalSnapshot.of(ALICE, "chat", nobody)))
        .isInstanceOfSatisfying(
            RefusedPublicationException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ACCOUNT))
        .hasMessageContaining(nobody.toHex());
    unsafe.set("plan: it is dearer than the burst");
    refused(Reason.UNSAFE, "burst");
    unsafe.set(null);
    ledger.submit(
        parent, new LedgerCommand.SetStatus(commands.nextId(), AccountStatus.CLOSED), now);
    refused(Reason.ACCOUNT_CLOSED, parent.toHex());
    assertThatThrownBy(() -> publisher.revoke(BOB))
        .isInstanceOfSatisfying(
            RefusedPublicationException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_PRINCIPAL));

    assertThat(read(ALICE, BOB)).isEqualTo(PolicySet.EMPTY);
  }

  private void refused(Reason reason, String named) {
    assertThatThrownBy(() -> publisher.publish(snapshot(ALICE)))
        .isInstanceOfSatisfying(
            RefusedPublicationException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(named);
  }

  @Test
  void aPublicationThatRacesASuspensionLeavesTheAccountSuspended() throws Exception {
    publisher.publish(PLAN);
    final ExecutorService racer = Executors.newSingleThreadExecutor();
    for (int round = 0; round < 20; round++) {
      final Id128 suspended = commands.nextId();
      ledger.submit(suspended, commands.create(), now);
      final Id128 principal = commands.nextId();
      final Future<PrincipalSnapshot> published =
          racer.submit(() -> publisher.publish(PrincipalSnapshot.of(principal, "chat", suspended)));
      ledger.submit(
          suspended, new LedgerCommand.SetStatus(commands.nextId(), AccountStatus.SUSPENDED), now);
      published.get(30, TimeUnit.SECONDS);

      final AccountPolicy policy = read(principal).accounts().get(suspended);
      assertThat(policy).isNotNull();
      assertThat(policy.status()).isEqualTo(AccountStatus.SUSPENDED);
      assertThat(policy.generation()).isEqualTo(2);
    }
    racer.shutdown();
  }

  @Test
  void aPublicationThatRacesAClosingIsRefusedOrCameBeforeIt() throws Exception {
    publisher.publish(PLAN);
    try (Connection closing = database.connect();
        PreparedStatement close =
            closing.prepareStatement(
                "UPDATE account SET status = 2, policy_generation = 2 WHERE id = ?")) {
      closing.setAutoCommit(false);
      close.setObject(1, account.toUuid());
      close.executeUpdate();
      final ExecutorService racer = Executors.newSingleThreadExecutor();
      final Future<PrincipalSnapshot> waiting =
          racer.submit(() -> publisher.publish(snapshot(ALICE)));
      assertThatThrownBy(() -> waiting.get(200, TimeUnit.MILLISECONDS))
          .as("it waits for whoever changes the account")
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      closing.commit();
      assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RefusedPublicationException.class);
      racer.shutdown();
    }
  }

  @Test
  void pagesGoThroughEveryoneInForceInUnsignedOrder() throws SQLException {
    publisher.publish(PLAN);
    final List<Id128> everyone = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      final Id128 principal = new Id128(i % 2 == 0 ? -i : i, i);
      everyone.add(principal);
      publisher.publish(PrincipalSnapshot.of(principal, "chat", account));
    }
    publisher.revoke(everyone.remove(3));
    everyone.sort(null);

    final List<Id128> seen = new ArrayList<>();
    Id128 after = Id128.ZERO;
    PolicySet page;
    do {
      page = reads.read(new PolicyQuery.Page(after, 10));
      page.principals().forEach(principal -> seen.add(principal.principal()));
      after = seen.get(seen.size() - 1);
    } while (page.principals().size() == 10);

    everyone.remove(Id128.ZERO);
    assertThat(seen).isEqualTo(everyone);
  }

  @Test
  void aRowThatNobodyCanHavePublishedIsToldAsCorrupt() throws SQLException {
    publisher.publish(PLAN);
    publisher.publish(snapshot(ALICE));
    database.execute("DELETE FROM snapshot_leg");

    assertThatThrownBy(() -> read(ALICE))
        .isInstanceOfSatisfying(
            LedgerCodeException.class, e -> assertThat(e.code()).isEqualTo(LedgerCode.CORRUPT));
  }
}
