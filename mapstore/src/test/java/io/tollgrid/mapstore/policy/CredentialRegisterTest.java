package io.tollgrid.mapstore.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.policy.RefusedPublicationException.Reason;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Witnesses R44 at rest: no credential twice, retirement for good, and a revision that tells pages
 * of different states apart.
 */
@Timeout(60)
class CredentialRegisterTest {
  private static final long NOW = 1_000;

  private TestPostgres database;
  private LedgerDataSources sources;
  private CredentialRegister register;
  private PostgresPolicyReads reads;

  @BeforeEach
  void start() {
    database = TestPostgres.migrated();
    sources = database.dataSources();
    register = new CredentialRegister(sources.control(), () -> NOW);
    reads = new PostgresPolicyReads(sources.policies());
  }

  @AfterEach
  void stop() {
    sources.close();
    database.close();
  }

  private static CredentialRecord credential(int number) {
    return new CredentialRecord(
        new Id128(number % 2 == 0 ? -number : number, 1),
        new Bits256(number, 2, 3, 4),
        number % 3 == 0
            ? new CredentialBinding.SubjectsUnder("acme/")
            : new CredentialBinding.OneSubject(Subject.of("acme/" + number).principal()),
        5_000);
  }

  @Test
  void anEmptyRegisterIsAnAnswer() {
    assertThat(reads.credentials(Id128.ZERO, 10)).isEqualTo(new CredentialPage(0, List.of()));
  }

  @Test
  void whatIsInForceIsReadPageByPageUnderOneRevision() throws SQLException {
    final List<CredentialRecord> issued = new ArrayList<>();
    for (int i = 1; i <= 25; i++) {
      register.issue(credential(i));
      issued.add(credential(i));
    }
    register.retire(credential(7).keyId());
    register.retire(credential(7).keyId());
    issued.remove(6);
    issued.sort((one, other) -> one.keyId().compareTo(other.keyId()));

    final List<CredentialRecord> seen = new ArrayList<>();
    Id128 after = Id128.ZERO;
    CredentialPage page;
    do {
      page = reads.credentials(after, 10);
      assertThat(page.revision()).isEqualTo(27);
      seen.addAll(page.credentials());
      after = seen.get(seen.size() - 1).keyId();
    } while (page.credentials().size() == 10);

    assertThat(seen).isEqualTo(issued);
  }

  @Test
  void neitherAnIdNorASecretIsIssuedTwice() throws SQLException {
    register.issue(credential(1));

    refused(() -> register.issue(credential(1)), Reason.DUPLICATE_CREDENTIAL);
    refused(
        () ->
            register.issue(
                new CredentialRecord(
                    new Id128(9, 9), credential(1).digest(), credential(1).binding(), 5_000)),
        Reason.DUPLICATE_CREDENTIAL);
    register.retire(credential(1).keyId());
    refused(() -> register.issue(credential(1)), Reason.DUPLICATE_CREDENTIAL);
    assertThat(reads.credentials(Id128.ZERO, 10).credentials()).isEmpty();
    assertThat(reads.credentials(Id128.ZERO, 10).revision()).isEqualTo(2);
  }

  @Test
  void anEndComesEarlierAndNeverLater() throws SQLException {
    register.issue(credential(1));
    register.expireBy(credential(1).keyId(), 3_000);
    register.expireBy(credential(1).keyId(), 4_000);

    assertThat(reads.credentials(Id128.ZERO, 1).credentials().get(0).expiresAtNanos())
        .isEqualTo(3_000);
    register.expireBy(credential(1).keyId(), 0);
    assertThat(reads.credentials(Id128.ZERO, 1).credentials().get(0).expiresAtNanos())
        .isEqualTo(NOW + 1);
  }

  @Test
  void whatWasNeverIssuedIsRefused() throws SQLException {
    final Id128 nobody = new Id128(8, 8);
    refused(() -> register.retire(nobody), Reason.UNKNOWN_CREDENTIAL);
    refused(() -> register.expireBy(nobody, 1), Reason.UNKNOWN_CREDENTIAL);
    refused(() -> register.bindingOf(nobody), Reason.UNKNOWN_CREDENTIAL);
    register.issue(credential(3));
    assertThat(register.bindingOf(credential(3).keyId()))
        .isEqualTo(new CredentialBinding.SubjectsUnder("acme/"));
    assertThat(reads.credentials(Id128.ZERO, 10).revision()).isEqualTo(1);
  }

  private interface Attempt {
    void run() throws SQLException;
  }

  private static void refused(Attempt attempt, Reason reason) {
    assertThatThrownBy(attempt::run)
        .isInstanceOfSatisfying(
            RefusedPublicationException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
