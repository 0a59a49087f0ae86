package io.tollgrid.ledger.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.MalformedBytesException;
import io.tollgrid.ledger.RateLimits;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses R37 on the wire: what is asked and answered about policies arrives as it was, and
 * nothing else is understood.
 */
class PolicyCodecTest {
  private static final Id128 ONE = new Id128(-1, 1);
  private static final Id128 TWO = new Id128(0, 2);

  private static final Plan PLAN =
      new Plan(
          "chat",
          7,
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
                  Duration.ofMinutes(3))));

  private static final PolicySet SET =
      new PolicySet(
          Map.of(
              ONE,
              new AccountPolicy(
                  3,
                  AccountStatus.SUSPENDED,
                  CapacityClass.ASSURED,
                  new AccountTerms(EnforcementMode.ELASTIC, 9, new RateLimits(1, 2, 3, 4), 5),
                  true),
              TWO,
              new AccountPolicy(
                  1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false)),
          List.of(PLAN),
          List.of(
              new PrincipalPolicy.Revoked(TWO, 12),
              new PrincipalPolicy.Published(
                  new PrincipalSnapshot(
                      ONE,
                      2,
                      "chat",
                      List.of(new SnapshotLeg(TWO, Set.of("tokens", "calls")), SnapshotLeg.of(ONE)),
                      6))));

  @Test
  void anAnswerIsReadAsItWasWritten() {
    assertThat(PolicyCodec.decodeSet(PolicyCodec.encodeSet(SET))).isEqualTo(SET);
    assertThat(PolicyCodec.decodeSet(PolicyCodec.encodeSet(PolicySet.EMPTY)))
        .isEqualTo(PolicySet.EMPTY);
  }

  @Test
  void everyQuestionIsReadAsItWasWritten() {
    for (final PolicyQuery query :
        List.of(
            new PolicyQuery.ByPrincipal(List.of(ONE, TWO)),
            new PolicyQuery.Page(TWO, 17),
            new PolicyQuery.ByAccount(List.of(TWO)),
            new PolicyQuery.ByPlan("chat"))) {
      assertThat(PolicyCodec.decodeQuery(PolicyCodec.encodeQuery(query))).isEqualTo(query);
    }
  }

  @Test
  void aPageOfCredentialsIsReadAsItWasWritten() {
    final CredentialPage page =
        new CredentialPage(
            7,
            List.of(
                new CredentialRecord(
                    ONE, new Bits256(1, 2, 3, 4), new CredentialBinding.OneSubject(TWO), 9),
                new CredentialRecord(
                    TWO, new Bits256(5, 6, 7, 8), new CredentialBinding.SubjectsUnder("a/"), 8)));
    assertThat(PolicyCodec.decodeCredentials(PolicyCodec.encodeCredentials(page))).isEqualTo(page);
    assertThat(page.toString()).doesNotContain(new Bits256(1, 2, 3, 4).toString());
  }

  @Test
  void whatCameOfAnIntroductionIsReadAsItWasWritten() {
    for (final Introduction came :
        List.of(
            Introduction.PUBLISHED, Introduction.NO_PLAN, Introduction.refused("plan: too dear"))) {
      assertThat(PolicyCodec.decodeIntroduction(PolicyCodec.encodeIntroduction(came)))
          .isEqualTo(came);
    }
  }

  @Test
  void equalAnswersHaveEqualBytesWhateverTheOrderOfTheirSets() {
    final PolicySet other =
        new PolicySet(Map.of(TWO, policy(TWO), ONE, policy(ONE)), SET.plans(), SET.principals());
    assertThat(PolicyCodec.encodeSet(other)).isEqualTo(PolicyCodec.encodeSet(SET));
  }

  private static AccountPolicy policy(Id128 account) {
    final AccountPolicy policy = SET.accounts().get(account);
    assertThat(policy).isNotNull();
    return policy;
  }

  @Test
  void noPrefixOfAnAnswerIsUnderstood() {
    final byte[] whole = PolicyCodec.encodeSet(SET);
    for (int length = 0; length < whole.length; length++) {
      final byte[] prefix = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> PolicyCodec.decodeSet(prefix))
          .as("the first %d bytes", length)
          .isInstanceOf(MalformedBytesException.class);
    }
  }

  @Property(tries = 2_000)
  void anyBytesAreUnderstoodOrMalformed(@ForAll @Size(max = 64) byte[] bytes) {
    for (final Runnable read :
        List.<Runnable>of(
            () -> PolicyCodec.decodeSet(bytes),
            () -> PolicyCodec.decodeQuery(bytes),
            () -> PolicyCodec.decodeIntroduction(bytes),
            () -> PolicyCodec.decodeCredentials(bytes))) {
      try {
        read.run();
      } catch (MalformedBytesException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }

  @Test
  void anotherVersionIsRefused() {
    final byte[] later = PolicyCodec.encodeSet(SET);
    later[0] = PolicyCodec.VERSION + 1;
    assertThatThrownBy(() -> PolicyCodec.decodeSet(later))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("version");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 513, -1})
  void aPageIsBounded(int limit) {
    assertThatThrownBy(() -> new PolicyQuery.Page(Id128.ZERO, limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("512");
  }

  @Test
  void aQuestionNamesSomebodyAndNotEverybody() {
    assertThatThrownBy(() -> new PolicyQuery.ByPrincipal(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new PolicyQuery.ByAccount(java.util.Collections.nCopies(513, Id128.ZERO)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
