package io.tollgrid.ledger.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R42 and R43 for policies and credentials: what is out of range is refused where it is
 * made, by its value, and a subject has one principal.
 */
class PolicyValuesTest {
  private static final Id128 ALICE = new Id128(1, 2);
  private static final List<SnapshotLeg> HOME = List.of(SnapshotLeg.of(new Id128(3, 4)));

  @Test
  void aSubjectIsTheHashOfItsName() {
    final Subject alice = Subject.of("alice");
    // The first half of what `printf alice | sha256sum` prints.
    assertThat(alice.principal()).isEqualTo(Id128.parse("2bd806c97f0e00af1a1fc3328fa763a9"));
    assertThat(alice.name()).isEqualTo("alice");
    assertThat(alice).isEqualTo(Subject.of("alice")).hasSameHashCodeAs(Subject.of("alice"));
    assertThat(alice).isNotEqualTo(Subject.of("Alice")).isNotEqualTo("alice");
    assertThat(alice.hashCode()).isNotEqualTo(Subject.of("Alice").hashCode());
    assertThat(alice).as("a log tells nobody's name").hasToString("subject " + alice.principal());
  }

  @Test
  void aSubjectIsUnderEveryBeginningOfItsNameAndNothingElse() {
    final Subject subject = Subject.of("a/\ud83d\ude00b");
    assertThat(subject.prefixes())
        .as("half of a pair begins no name")
        .containsExactly("a/\ud83d\ude00b", "a/\ud83d\ude00", "a/", "a", "")
        .allMatch(subject::isUnder);
    assertThat(subject.isUnder("A/")).isFalse();
    assertThat(subject.isUnder("/")).isFalse();
    assertThat(subject.isUnder("a/\ud83d\ude00bc")).isFalse();
  }

  @Test
  void anAssignmentIsThatOfSubjectsWhoPayByThemselvesOrTogether() {
    final Id128 shared = new Id128(3, 4);
    final Assignment assignment =
        new Assignment(
            "acme/",
            2,
            "free",
            List.of(new AssignmentLeg(null, Set.of("tokens")), AssignmentLeg.shared(shared)),
            7);

    assertThat(assignment.snapshotOf(ALICE))
        .isEqualTo(
            new PrincipalSnapshot(
                ALICE,
                1,
                "free",
                List.of(new SnapshotLeg(ALICE, Set.of("tokens")), SnapshotLeg.of(shared)),
                7));
    assertThat(assignment.sharedAccounts()).containsExactly(shared);
    assertThat(assignment.withGeneration(9).generation()).isEqualTo(9);
    assertThat(Assignment.of("", "free", AssignmentLeg.own()).prefix()).isEmpty();
  }

  @Test
  void anAssignmentHasAPrefixAPlanAndOneToEightLegs() {
    final List<AssignmentLeg> own = List.of(AssignmentLeg.own());
    final String longest = "p".repeat(256);
    assertThat(new Assignment(longest, 1, "free", own, 0).prefix()).isEqualTo(longest);
    refused(() -> new Assignment(longest + "p", 1, "free", own, 0), "not 257");
    refused(() -> new Assignment("a\n", 1, "free", own, 0), "not 2");
    refused(() -> new Assignment("a", 1, "", own, 0), "plan");
    refused(() -> new Assignment("a", 0, "free", own, 0), "generation 0");
    refused(() -> new Assignment("a", 1, "free", own, -1), "ceiling of -1");
    refused(() -> new Assignment("a", 1, "free", List.of(), 0), "0 legs");
    refused(() -> new AssignmentLeg(null, Set.of("a\nb")), "a name of a meter");
    refused(() -> new SnapshotLeg(ALICE, Set.of("")), "a name of a meter");
    final List<AssignmentLeg> most =
        LongStream.rangeClosed(1, 8).mapToObj(i -> AssignmentLeg.shared(new Id128(0, i))).toList();
    assertThat(new Assignment("a", 1, "free", most, 0).legs()).hasSize(8);
    final List<AssignmentLeg> more = new ArrayList<>(most);
    more.add(AssignmentLeg.own());
    refused(() -> new Assignment("a", 1, "free", more, 0), "9 legs");
  }

  @Test
  void onlyARefusalHasAReason() {
    assertThat(Introduction.refused("plan: too dear").reason()).isEqualTo("plan: too dear");
    refused(() -> new Introduction(Introduction.Result.PUBLISHED, "why"), "why");
  }

  @Test
  void aSubjectsNameIsPlainTextOfOneTo256Characters() {
    assertThat(Subject.of("s".repeat(256)).name()).hasSize(256);
    refused(() -> Subject.of("s".repeat(257)), "not 257");
    refused(() -> Subject.of(""), "not 0");
    refused(() -> Subject.of("al\u0000ice"), "not 6");
  }

  @Test
  void aSnapshotHasAGenerationACeilingAndOneToEightAccounts() {
    assertThat(snapshot(1, 0, HOME).withGeneration(7).generation()).isEqualTo(7);
    refused(() -> snapshot(0, 0, HOME), "generation 0");
    refused(() -> snapshot(1, -1, HOME), "ceiling of -1");
    refused(() -> snapshot(1, 0, List.of()), "0 accounts");
    assertThat(snapshot(1, 0, accounts(8)).legs()).hasSize(8);
    refused(() -> snapshot(1, 0, accounts(9)), "9 accounts");
    final List<SnapshotLeg> twice = new ArrayList<>(accounts(8));
    twice.add(new SnapshotLeg(new Id128(0, 1), Set.of("calls")));
    assertThat(snapshot(1, 0, twice).legs()).as("an account named twice counts once").hasSize(9);
  }

  @Test
  void aRecordSaysWhomItIsAboutAndOfWhichGeneration() {
    final PrincipalPolicy published = new PrincipalPolicy.Published(snapshot(5, 0, HOME));
    assertThat(published.generation()).isEqualTo(5);
    assertThat(published.principal()).isEqualTo(ALICE);
    assertThat(new PrincipalPolicy.Revoked(ALICE, 1).generation()).isEqualTo(1);
    refused(() -> new PrincipalPolicy.Revoked(ALICE, 0), "generation 0");
  }

  @Test
  void aQuestionNamesOneTo512Ids() {
    final List<Id128> most =
        LongStream.rangeClosed(1, PolicyQuery.MAX_IDS).mapToObj(i -> new Id128(0, i)).toList();
    assertThat(new PolicyQuery.ByPrincipal(most).principals()).hasSize(512);
    final List<Id128> more = new ArrayList<>(most);
    more.add(Id128.ZERO);
    refused(() -> new PolicyQuery.ByPrincipal(more), "not 513");
    refused(() -> new PolicyQuery.ByAccount(more), "not 513");
    refused(() -> new PolicyQuery.ByAccount(List.of()), "not 0");
    assertThat(new PolicyQuery.Page(Id128.ZERO, 512).limit()).isEqualTo(512);
    assertThat(new PolicyQuery.Page(Id128.ZERO, 1).limit()).isEqualTo(1);
    refused(() -> new PolicyQuery.Page(Id128.ZERO, 513), "not 513");
    refused(() -> new PolicyQuery.Page(Id128.ZERO, 0), "not 0");
    refused(() -> new PolicyQuery.ByPlan(""), "plan");
  }

  @Test
  void aPrefixIsPlainTextOfOneTo256Characters() {
    final String longest = "p".repeat(256);
    assertThat(new CredentialBinding.SubjectsUnder(longest).prefix()).isEqualTo(longest);
    refused(() -> new CredentialBinding.SubjectsUnder(longest + "p"), "not 257");
    refused(() -> new CredentialBinding.SubjectsUnder(""), "not 0");
    refused(() -> new CredentialBinding.SubjectsUnder("a\n"), "not 2");
  }

  @Test
  void aPageHasARevision() {
    assertThat(new CredentialPage(0, List.of()).revision()).isZero();
    refused(() -> new CredentialPage(-1, List.of()), "-1");
  }

  @Test
  void aCredentialNamesItsKeyAndNotItsDigest() {
    final Bits256 digest = new Bits256(1, 2, 3, 4);
    assertThat(
            new CredentialRecord(ALICE, digest, new CredentialBinding.SubjectsUnder("a/"), 9)
                .toString())
        .contains(ALICE.toString(), "a/")
        .doesNotContain(digest.toString());
  }

  private static PrincipalSnapshot snapshot(long generation, long ceiling, List<SnapshotLeg> legs) {
    return new PrincipalSnapshot(ALICE, generation, "free", legs, ceiling);
  }

  private static List<SnapshotLeg> accounts(int count) {
    return LongStream.rangeClosed(1, count).mapToObj(i -> SnapshotLeg.of(new Id128(0, i))).toList();
  }

  private static void refused(ThrowingCallable making, String... words) {
    assertThatThrownBy(making)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }
}
