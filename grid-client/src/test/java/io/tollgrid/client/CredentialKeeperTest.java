package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.admission.session.Session;
import io.tollgrid.grid.Change;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.policy.Subject;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R43 and R44 on an instance: what can be proved is one whole reading of bounded age,
 * retirement is felt by word and for good, and nothing else than the right secret proves anything.
 */
class CredentialKeeperTest {
  private static final CredentialKey KEY = new CredentialKey(new byte[CredentialKey.BYTES]);
  private static final Subject ALICE = Subject.of("acme/alice");
  private static final Id128 ACCOUNT = new Id128(0xACC, 1);
  private static final long SECOND = 1_000_000_000L;
  private static final long FAR = Long.MAX_VALUE;

  private final ManualTime time = new ManualTime();
  private final ScriptedPolicies policies = new ScriptedPolicies();
  private final Instance instance =
      new Instance(
          TestGrids.of(new ScriptedLedgers(time), policies, time),
          new TestIds(1),
          InstanceSettings.DEFAULTS.with(PolicySettings.DEFAULTS.proving(KEY)),
          () -> {});

  @BeforeEach
  void publish() {
    policies.account(ACCOUNT, 1, AccountStatus.ACTIVE);
    policies.plan("open", 1, 1);
    policies.snapshot(ALICE.principal(), 1, "open", ACCOUNT);
  }

  private void run() {
    for (int i = 0; i < 8; i++) {
      instance.run(time.nowNanos());
    }
  }

  private void later(long nanos) {
    time.advance(nanos);
    run();
  }

  private static byte[] token(int number) {
    final byte[] random = new byte[CredentialToken.RANDOM_BYTES];
    Arrays.fill(random, (byte) number);
    return CredentialToken.of(new Id128(7, number), random);
  }

  private static CredentialRecord record(int number, CredentialBinding binding, long expires) {
    final byte[] token = token(number);
    return new CredentialRecord(
        new Id128(7, number), KEY.digest(token, token.length), binding, expires);
  }

  private static CredentialRecord record(int number) {
    return record(number, new CredentialBinding.OneSubject(ALICE.principal()), FAR);
  }

  private boolean proves(Session session, int number) {
    final byte[] token = token(number);
    return session.authenticate(token, token.length, time.nowNanos());
  }

  private boolean proves(int number) {
    try (Session session = instance.newSession()) {
      return proves(session, number);
    }
  }

  @Test
  void theRightSecretProvesItsSubjectAndARequestCarriesTheKey() {
    policies.issue(record(1));
    run();
    final Session session = instance.newSession();

    assertThat(proves(session, 1)).isTrue();
    assertThat(session.principal()).isEqualTo(ALICE.principal());
    assertThat(instance.newRequest().begin(session, null, time.nowNanos())).isNull();
    assertThat(proves(session, 2)).isFalse();
    assertThat(instance.newRequest().begin(session, null, time.nowNanos()))
        .isEqualTo(Denial.UNKNOWN_PRINCIPAL);
  }

  @Test
  void aProofOnASessionIsNoOlderThanTheReadingItRestsOn() {
    policies.issue(record(1));
    run();
    final Session session = instance.newSession();
    assertThat(proves(session, 1)).isTrue();

    policies.away = true;
    later(PolicySettings.DEFAULTS.staleAfterNanos());
    assertThat(session.credential(time.nowNanos())).as("nothing was read for so long").isNull();
    assertThat(proves(session, 1)).isFalse();

    policies.away = false;
    later(PolicySettings.DEFAULTS.maxBackoffNanos());
    assertThat(proves(session, 1)).as("read again").isTrue();
  }

  @Test
  void aSecretThatDiffersInOneBitProvesNothing() {
    policies.issue(record(1));
    run();
    final Session session = instance.newSession();
    for (int i = 0; i < token(1).length; i++) {
      final byte[] wrong = token(1);
      wrong[i] ^= 1;
      assertThat(session.authenticate(wrong, wrong.length, time.nowNanos())).isFalse();
    }
    final byte[] longer = Arrays.copyOf(token(1), token(1).length + 1);
    assertThat(session.authenticate(longer, longer.length, time.nowNanos())).isFalse();
    assertThat(session.authenticate(longer, 3, time.nowNanos())).isFalse();
  }

  @Test
  void aMeteringKeySpeaksForTheSubjectsUnderItsPrefixAndNoOther() {
    policies.issue(record(1, new CredentialBinding.SubjectsUnder("acme/"), FAR));
    run();
    final Session session = instance.newSession();
    assertThat(proves(session, 1)).isTrue();
    assertThat(instance.newRequest().begin(session, ALICE, null, time.nowNanos())).isNull();
    final AdmissionRequest request = instance.newRequest();
    assertThat(request.begin(session, Subject.of("acm"), null, time.nowNanos()))
        .isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    assertThat(request.begin(session, Subject.of("other/alice"), null, time.nowNanos()))
        .isEqualTo(Denial.UNKNOWN_PRINCIPAL);
    assertThat(request.begin(session, null, time.nowNanos()))
        .as("it speaks for nobody by itself")
        .isEqualTo(Denial.UNKNOWN_PRINCIPAL);
  }

  @Test
  void retirementEndsSessionsByWordAndForGoodThoughAnOlderAnswerStillListsIt() {
    policies.issue(record(1));
    run();
    final Session session = instance.newSession();
    assertThat(proves(session, 1)).isTrue();
    policies.holding = true;
    instance.changes().changed(new Change.CredentialsChanged());
    run();
    policies.retire(new Id128(7, 1));

    instance.changes().changed(new Change.CredentialRetired(new Id128(7, 1)));
    run();
    assertThat(session.credential(time.nowNanos())).isNull();
    policies.heldPages.remove().release();
    policies.holding = false;
    run();

    assertThat(proves(session, 1)).isFalse();
    assertThat(proves(1)).isFalse();
  }

  @Test
  void whatWasRetiredBeforeItWasEverReadIsNotProvedByAnAnswerThatWasOnItsWay() {
    run();
    policies.issue(record(1));
    policies.holding = true;
    instance.changes().changed(new Change.CredentialsChanged());
    run();
    instance.changes().changed(new Change.CredentialRetired(new Id128(7, 1)));
    run();
    policies.retire(new Id128(7, 1));
    policies.heldPages.remove().release();
    run();
    assertThat(proves(1)).isFalse();

    policies.holding = false;
    policies.heldPages.forEach(ScriptedPolicies.HeldPage::release);
    run();
    assertThat(proves(1)).isFalse();
  }

  @Test
  void aRetirementOfWhichNoWordCameIsFeltWithinTheRefreshInterval() {
    policies.issue(record(1));
    run();
    final Session session = instance.newSession();
    assertThat(proves(session, 1)).isTrue();
    policies.retire(new Id128(7, 1));

    later(PolicySettings.DEFAULTS.refreshNanos());

    assertThat(session.credential(time.nowNanos())).isNull();
  }

  @Test
  void sessionsKeepTheirProofWhileTheirCredentialIsStillThere() {
    policies.issue(record(1));
    run();
    final Session session = instance.newSession();
    assertThat(proves(session, 1)).isTrue();

    policies.issue(record(2));
    later(PolicySettings.DEFAULTS.refreshNanos());

    assertThat(session.credential(time.nowNanos())).isNotNull();
    assertThat(proves(2)).isTrue();
  }

  @Test
  void pagesOfTwoRevisionsAreNeverPutTogether() {
    for (int i = 1; i <= 600; i++) {
      policies.issue(record(i));
    }
    policies.holding = true;
    run();
    policies.retire(new Id128(7, 1));
    policies.heldPages.remove().release();
    run();
    policies.heldPages.remove().release();
    policies.holding = false;
    run();

    assertThat(instance.policies().movedReads()).isEqualTo(1);
    assertThat(proves(1)).isFalse();
    assertThat(proves(600)).isTrue();
  }

  @Test
  void aSetThatContradictsItselfIsNotTakenAndTheOneBeforeStandsWhileItIsFresh() {
    policies.issue(record(1));
    run();
    policies.issue(
        new CredentialRecord(new Id128(7, 9), record(1).digest(), record(1).binding(), FAR));
    instance.changes().changed(new Change.CredentialsChanged());
    run();

    assertThat(instance.policies().unsafe()).isEqualTo(1);
    assertThat(proves(1)).isTrue();
    time.advance(PolicySettings.DEFAULTS.staleAfterNanos());
    assertThat(proves(1)).isFalse();
  }

  @Test
  void anEmptyAnswerIsAnAnswer() {
    policies.issue(record(1));
    run();
    policies.retire(new Id128(7, 1));
    instance.changes().changed(new Change.CredentialsChanged());
    run();

    assertThat(proves(1)).isFalse();
  }

  @Test
  void expiryIsExact() {
    policies.issue(
        record(1, new CredentialBinding.OneSubject(ALICE.principal()), time.nowNanos() + SECOND));
    run();
    final Session session = instance.newSession();
    assertThat(proves(session, 1)).isTrue();
    time.advance(SECOND - 1);
    assertThat(proves(session, 1)).isTrue();
    time.advance(1);
    assertThat(proves(session, 1)).isFalse();
  }

  @Test
  void theAgeOfAReadingCountsFromItsBeginning() {
    policies.issue(record(1));
    policies.holding = true;
    run();
    time.advance(PolicySettings.DEFAULTS.staleAfterNanos());
    policies.heldPages.remove().release();
    run();

    assertThat(proves(1)).isFalse();
  }

  @Test
  void withoutAKeyNothingCanBeProvedAndThatIsSaid() {
    final Instance none =
        new Instance(
            TestGrids.of(new ScriptedLedgers(time), policies, time),
            new TestIds(2),
            InstanceSettings.DEFAULTS,
            () -> {});
    assertThatThrownBy(none::newSession)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("credential key");
  }

  @Test
  void noSecretIsInAnyText() {
    assertThat(KEY.toString()).isEqualTo("CredentialKey");
    assertThat(record(1).toString()).doesNotContain(record(1).digest().toString());
  }
}
