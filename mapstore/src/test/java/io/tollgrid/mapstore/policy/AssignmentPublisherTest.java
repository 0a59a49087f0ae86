package io.tollgrid.mapstore.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.policy.Assignment;
import io.tollgrid.ledger.policy.AssignmentLeg;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.policy.RefusedPublicationException.Reason;
import io.tollgrid.mapstore.testing.Commands;
import io.tollgrid.mapstore.testing.PostgresLedger;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R50 and R51 at rest: whom no assignment covers has no snapshot, the longest prefix
 * decides for the others, and whatever becomes of assignments, accounts and what was spent from
 * them stay. And R37 and R42: what an operator published is never overwritten, and nothing unsafe
 * comes into force.
 */
@Timeout(60)
class AssignmentPublisherTest {
  private static final Subject ALICE = Subject.of("acme/team/alice");
  private static final Subject BOB = Subject.of("acme/bob");
  private static final Subject CAROL = Subject.of("carol");

  private final Commands commands = new Commands();
  private final Set<String> unsafePlans = new HashSet<>();
  private final Set<String> unjudgeablePlans = new HashSet<>();
  private TestPostgres database;
  private PostgresLedger ledger;
  private LedgerDataSources sources;
  private PolicyPublisher policies;
  private AssignmentPublisher assignments;
  private PostgresPolicyReads reads;
  private Id128 shared;
  private long now;

  @BeforeEach
  void start() throws SQLException {
    database = TestPostgres.migrated();
    now = database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    ledger = PostgresLedger.over(database);
    ledger.takeOver();
    shared = commands.nextId();
    ledger.submit(shared, commands.create(), now);
    sources = database.dataSources();
    final SnapshotCheck check =
        (snapshot, plan, accounts) -> {
          if (unjudgeablePlans.contains(plan.name())) {
            throw new IllegalArgumentException("a plan has 64 meters at most");
          }
          return unsafePlans.contains(plan.name()) ? "plan: too dear" : null;
        };
    policies = new PolicyPublisher(sources.control(), check, () -> now);
    assignments = new AssignmentPublisher(sources.control(), check, () -> now);
    reads = new PostgresPolicyReads(sources.policies());
    for (final String plan : List.of("free", "pro", "team")) {
      policies.publish(Plan.open(plan, OperationPrice.of("work", MeterPrice.perItem("units"))));
    }
  }

  @AfterEach
  void stop() {
    sources.close();
    ledger.close();
    database.close();
  }

  private Assignment assign(String prefix, String plan) throws SQLException {
    return assignments.publish(Assignment.of(prefix, plan, AssignmentLeg.shared(shared)));
  }

  private @Nullable PrincipalPolicy recordOf(Subject subject) {
    final List<PrincipalPolicy> found =
        reads.read(new PolicyQuery.ByPrincipal(List.of(subject.principal()))).principals();
    return found.isEmpty() ? null : found.get(0);
  }

  private PrincipalPolicy published(Subject subject, long generation, String plan) {
    return new PrincipalPolicy.Published(
        PrincipalSnapshot.of(subject.principal(), plan, shared).withGeneration(generation));
  }

  /** Lets everybody follow, and says who was told to have changed. */
  private List<Id128> follow() throws SQLException {
    final List<Id128> told = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = assignments.deriveSome(told::add);
    }
    return told;
  }

  private List<Subject> withoutPlan() throws SQLException {
    return assignments.withoutPlan(Id128.ZERO, 10);
  }

  @Test
  void theLongestPrefixDecidesAndTheSameAgainChangesNothing() throws SQLException {
    assign("", "free");
    assign("acme/", "pro");
    assign("acme/team/", "team");
    assign("acme/tea", "pro");

    for (int i = 0; i < 2; i++) {
      assertThat(assignments.introduce(ALICE)).isEqualTo(Introduction.PUBLISHED);
      assertThat(assignments.introduce(BOB)).isEqualTo(Introduction.PUBLISHED);
      assertThat(assignments.introduce(CAROL)).isEqualTo(Introduction.PUBLISHED);
    }

    assertThat(recordOf(ALICE)).isEqualTo(published(ALICE, 1, "team"));
    assertThat(recordOf(BOB)).isEqualTo(published(BOB, 1, "pro"));
    assertThat(recordOf(CAROL)).isEqualTo(published(CAROL, 1, "free"));
    assertThat(follow()).isEmpty();
    assertThat(withoutPlan()).isEmpty();
  }

  @Test
  void aSnapshotNamesTheSubjectsOwnAccountAndTheSharedOnes() throws SQLException {
    final Assignment assignment =
        new Assignment(
            "acme/",
            1,
            "pro",
            List.of(new AssignmentLeg(null, Set.of("units")), AssignmentLeg.shared(shared)),
            7);
    assertThat(assignments.publish(assignment)).isEqualTo(assignment);
    refused(() -> assignments.introduce(BOB), Reason.UNKNOWN_ACCOUNT);
    assertThat(database.number("SELECT count(*) FROM subject")).isZero();
    ledger.submit(BOB.principal(), commands.create(), now);

    assertThat(assignments.introduce(BOB)).isEqualTo(Introduction.PUBLISHED);

    assertThat(recordOf(BOB))
        .isEqualTo(
            new PrincipalPolicy.Published(
                new PrincipalSnapshot(
                    BOB.principal(),
                    1,
                    "pro",
                    List.of(
                        new SnapshotLeg(BOB.principal(), Set.of("units")), SnapshotLeg.of(shared)),
                    7)));
    close(ALICE.principal(), commands);
    refused(() -> assignments.introduce(ALICE), Reason.ACCOUNT_CLOSED);
    assertThat(new PostgresIntroductions(assignments).introduce(ALICE).reason())
        .startsWith("legs: account " + ALICE.principal());
  }

  private void close(Id128 account, Commands by) {
    ledger.submit(account, by.create(), now);
    ledger.submit(account, new LedgerCommand.SetStatus(by.nextId(), AccountStatus.CLOSED), now);
  }

  @Test
  void whomNoPrefixCoversHasNoSnapshotAndIsListedUntilOneDoes() throws SQLException {
    assign("acme/", "pro");

    assertThat(assignments.introduce(CAROL)).isEqualTo(Introduction.NO_PLAN);
    assertThat(assignments.introduce(Subject.of("ac"))).isEqualTo(Introduction.NO_PLAN);

    assertThat(recordOf(CAROL)).isNull();
    assertThat(withoutPlan()).containsExactlyInAnyOrder(CAROL, Subject.of("ac"));
    final Subject first = assignments.withoutPlan(Id128.ZERO, 1).get(0);
    assertThat(assignments.withoutPlan(first.principal(), 1)).isNotEmpty().doesNotContain(first);
    assign("ca", "free");
    assertThat(follow()).containsExactly(CAROL.principal());
    assertThat(recordOf(CAROL)).isEqualTo(published(CAROL, 1, "free"));
    assertThat(withoutPlan()).containsExactly(Subject.of("ac"));
  }

  @Test
  void whatAnOperatorPublishedOrRevokedStaysAsItIs() throws SQLException {
    final PrincipalSnapshot own = PrincipalSnapshot.of(ALICE.principal(), "team", shared);
    policies.publish(own);
    policies.publish(PrincipalSnapshot.of(BOB.principal(), "team", shared));
    policies.revoke(BOB.principal());
    assignments.publish(Assignment.of("acme/", "pro", AssignmentLeg.own()));

    assertThat(assignments.introduce(ALICE)).isEqualTo(Introduction.PUBLISHED);
    assertThat(assignments.introduce(BOB).result()).isEqualTo(Introduction.Result.REFUSED);
    assertThat(follow()).isEmpty();

    assertThat(recordOf(ALICE)).isEqualTo(new PrincipalPolicy.Published(own));
    assertThat(recordOf(BOB)).isEqualTo(new PrincipalPolicy.Revoked(BOB.principal(), 2));
    assertThat(withoutPlan()).isEmpty();
  }

  @Test
  void whatAnOperatorPublishesTakesASubjectOutOfTheAssignmentsHand() throws SQLException {
    assign("acme/", "pro");
    assignments.introduce(ALICE);
    assignments.introduce(BOB);
    // The very snapshot that was derived is the operator's from then on, too.
    policies.publish(PrincipalSnapshot.of(ALICE.principal(), "pro", shared));
    policies.revoke(BOB.principal());
    assign("acme/", "free");
    assignments.withdraw("acme/");

    assertThat(follow()).isEmpty();

    assertThat(recordOf(ALICE)).isEqualTo(published(ALICE, 1, "pro"));
    assertThat(recordOf(BOB)).isEqualTo(new PrincipalPolicy.Revoked(BOB.principal(), 2));
  }

  @Test
  void anotherPlanIsTheSameAccountAndWhatItSpent() throws SQLException {
    assignments.publish(Assignment.of("acme/", "pro", AssignmentLeg.own()));
    final Id128 account = BOB.principal();
    ledger.submit(account, commands.create(), now);
    ledger.submit(account, commands.deposit(100), now);
    ledger.submit(account, commands.acquire(40), now);
    assignments.introduce(BOB);
    final List<String> before = database.query("SELECT a::text FROM account a");

    assignments.publish(Assignment.of("acme/", "free", AssignmentLeg.own()));
    assertThat(follow()).containsExactly(BOB.principal());

    assertThat(recordOf(BOB))
        .isEqualTo(
            new PrincipalPolicy.Published(
                PrincipalSnapshot.of(BOB.principal(), "free", account).withGeneration(2)));
    assertThat(database.query("SELECT a::text FROM account a")).isEqualTo(before);
  }

  @Test
  void whoFallsOutGoesToTheNextLongestPrefixOrIsRevokedUntilAnotherCoversIt() throws SQLException {
    assign("acme/", "pro");
    assign("acme/team/", "team");
    assignments.introduce(ALICE);
    assignments.introduce(BOB);

    assignments.withdraw("acme/team/");
    assignments.withdraw("acme/team/");
    assertThat(follow()).containsExactly(ALICE.principal());
    assertThat(recordOf(ALICE)).isEqualTo(published(ALICE, 2, "pro"));
    assignments.withdraw("acme/");
    assertThat(follow()).containsExactlyInAnyOrder(ALICE.principal(), BOB.principal());

    assertThat(recordOf(ALICE)).isEqualTo(new PrincipalPolicy.Revoked(ALICE.principal(), 3));
    assertThat(assignments.introduce(BOB)).isEqualTo(Introduction.NO_PLAN);
    assertThat(recordOf(BOB)).isEqualTo(new PrincipalPolicy.Revoked(BOB.principal(), 2));
    assertThat(withoutPlan()).containsExactlyInAnyOrder(ALICE, BOB);
    assertThat(assign("acme/", "free").generation()).isEqualTo(3);
    assertThat(follow()).containsExactlyInAnyOrder(ALICE.principal(), BOB.principal());
    assertThat(recordOf(BOB)).isEqualTo(published(BOB, 3, "free"));
  }

  @Test
  void manyFollowInBatchesAndAnotherNodeGoesOnWhereOneStopped() throws SQLException {
    assign("acme/", "pro");
    final List<Id128> everyone = new ArrayList<>();
    for (int i = 0; i < 230; i++) {
      final Subject subject = Subject.of("acme/" + i);
      assignments.introduce(subject);
      everyone.add(subject.principal());
    }
    assignments.introduce(CAROL);
    follow();
    everyone.sort(null);
    assign("acme/", "free");

    final List<Id128> told = new ArrayList<>();
    assertThat(assignments.deriveSome(told::add)).isTrue();
    assertThat(told).isEqualTo(everyone.subList(0, 100));
    told.addAll(follow());

    assertThat(told).isEqualTo(everyone);
    assertThat(database.number("SELECT count(*) FROM snapshot WHERE plan = 'free'")).isEqualTo(230);
    assertThat(assignments.deriveSome(told::add)).isFalse();
  }

  @Test
  void whoseSnapshotWouldBeUnsafeKeepsTheOldOneWhileItsAssignmentIsInForce() throws SQLException {
    assignments.publish(Assignment.of("acme/", "pro", AssignmentLeg.own()));
    ledger.submit(BOB.principal(), commands.create(), now);
    assignments.introduce(BOB);
    assignments.publish(Assignment.of("acme/", "free", AssignmentLeg.own()));
    assignments.publish(Assignment.of("", "free", AssignmentLeg.own()));
    // Their own accounts do not allow what the plan costs by now.
    unsafePlans.add("free");
    assertThat(follow()).isEmpty();
    assertThat(((PrincipalPolicy.Published) recordOf(BOB)).snapshot().plan()).isEqualTo("pro");
    assignments.withdraw("acme/");
    assertThat(follow()).containsExactly(BOB.principal());

    assertThat(recordOf(BOB)).isEqualTo(new PrincipalPolicy.Revoked(BOB.principal(), 2));
    unsafePlans.clear();
    assertThat(assignments.publish(Assignment.of("", "free", AssignmentLeg.own())).generation())
        .as("the same again is no new generation, and all are derived again")
        .isEqualTo(1);
    assertThat(follow()).containsExactly(BOB.principal());
    assertThat(((PrincipalPolicy.Published) recordOf(BOB)).snapshot().plan()).isEqualTo("free");
  }

  @Test
  void anAssignmentThatCouldCoverNobodyIsRefused() throws SQLException {
    refused(() -> assign("acme/", "gold"), Reason.UNKNOWN_PLAN);
    refused(
        () ->
            assignments.publish(
                Assignment.of(
                    "acme/", "pro", AssignmentLeg.own(), AssignmentLeg.shared(commands.nextId()))),
        Reason.UNKNOWN_ACCOUNT);
    unsafePlans.add("pro");
    refused(() -> assign("acme/", "pro"), Reason.UNSAFE);
    refused(() -> assignments.withdraw("acme/"), Reason.UNKNOWN_ASSIGNMENT);
    final Id128 closed = commands.nextId();
    close(closed, commands);
    refused(
        () -> assignments.publish(Assignment.of("", "free", AssignmentLeg.shared(closed))),
        Reason.ACCOUNT_CLOSED);

    assertThat(database.number("SELECT count(*) FROM assignment")).isZero();
  }

  private static void refused(ThrowingCallable publishing, Reason reason) {
    assertThatThrownBy(publishing)
        .isInstanceOfSatisfying(
            RefusedPublicationException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  /**
   * An introduction that has read the assignment and waits: the change waits for it, and finds it.
   */
  @Test
  void anIntroductionThatRacesAChangeIsFoundByThePassAfterIt() throws Exception {
    assign("acme/", "pro");
    follow();
    final ExecutorService racers = Executors.newFixedThreadPool(2);
    try (Connection holder = database.connect();
        PreparedStatement hold =
            holder.prepareStatement("SELECT 1 FROM account WHERE id = ? FOR UPDATE")) {
      holder.setAutoCommit(false);
      hold.setObject(1, shared.toUuid());
      hold.execute();
      final Future<Introduction> introducing = racers.submit(() -> assignments.introduce(BOB));
      assertThatThrownBy(() -> introducing.get(200, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      final Future<List<Id128>> changing =
          racers.submit(
              () -> {
                assignments.withdraw("acme/");
                return follow();
              });
      assertThatThrownBy(() -> changing.get(200, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      holder.rollback();
      assertThat(introducing.get(30, TimeUnit.SECONDS)).isEqualTo(Introduction.PUBLISHED);
      assertThat(changing.get(30, TimeUnit.SECONDS)).containsExactly(BOB.principal());
    }
    racers.shutdown();

    assertThat(recordOf(BOB)).isEqualTo(new PrincipalPolicy.Revoked(BOB.principal(), 2));
  }

  @Test
  void aFailureOfPostgresqlIsToldByItsCodeAndNamesNobody() {
    sources.close();

    assertThatThrownBy(() -> new PostgresIntroductions(assignments).introduce(ALICE))
        .isInstanceOfSatisfying(
            LedgerCodeException.class, e -> assertThat(e.code()).isEqualTo(LedgerCode.UNAVAILABLE))
        .hasMessageNotContaining("alice");
  }

  @Test
  void whatCannotBeJudgedIsRefusedAtOnceAlsoIfSubjectsPayThemselves() {
    unjudgeablePlans.add("free");

    assertThatThrownBy(
            () -> assignments.publish(Assignment.of("acme/", "free", AssignmentLeg.own())))
        .isInstanceOfSatisfying(
            RefusedPublicationException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.UNSAFE));
  }

  @Test
  void aSubjectThatCannotBeJudgedHoldsUpNoOther() throws SQLException {
    final Subject dora = Subject.of("zoo/dora");
    assign("zoo/", "pro");
    assignments.introduce(dora);
    assignments.introduce(BOB);
    ledger.submit(BOB.principal(), commands.create(), now);
    assignments.publish(Assignment.of("acme/", "free", AssignmentLeg.own()));
    assignments.withdraw("zoo/");
    unjudgeablePlans.add("free");

    follow();

    assertThat(recordOf(dora)).isInstanceOf(PrincipalPolicy.Revoked.class);
    assertThat(recordOf(BOB)).isNull();
    assertThat(new PostgresIntroductions(assignments).introduce(BOB).result())
        .isEqualTo(Introduction.Result.REFUSED);
  }

  @Test
  void whatIsPublishedAgainWhileSubjectsFollowIsFollowedAgain() throws SQLException {
    final Subject one = Subject.of("acme/1");
    final Subject other = Subject.of("acme/2");
    final boolean inOrder = one.principal().compareTo(other.principal()) < 0;
    final Subject first = inOrder ? one : other;
    final Subject second = inOrder ? other : one;
    assignments.introduce(first);
    assignments.introduce(second);
    ledger.submit(second.principal(), commands.create(), now);
    final Assignment same = Assignment.of("acme/", "pro", AssignmentLeg.own());
    assignments.publish(same);

    // The first was refused for want of an account when the second follows.
    assignments.deriveSome(
        changed -> {
          ledger.submit(first.principal(), commands.create(), now);
          assertThatCode(() -> assignments.publish(same)).doesNotThrowAnyException();
        });
    follow();

    assertThat(recordOf(second)).isInstanceOf(PrincipalPolicy.Published.class);
    assertThat(recordOf(first)).isInstanceOf(PrincipalPolicy.Published.class);
  }

  @Test
  void whatIsAsItWasIsNotWritten() throws SQLException {
    assign("acme/", "pro");
    assignments.introduce(BOB);
    assignments.introduce(CAROL);
    final List<String> before = rowVersions();

    assignments.introduce(BOB);
    assignments.introduce(CAROL);
    assign("acme/", "pro");
    follow();

    assertThat(rowVersions()).isEqualTo(before);
  }

  private List<String> rowVersions() throws SQLException {
    final List<String> versions = new ArrayList<>();
    for (final String table : List.of("subject", "snapshot", "snapshot_leg")) {
      versions.addAll(database.query("SELECT xmin::text FROM " + table + " ORDER BY principal"));
    }
    return versions;
  }
}
