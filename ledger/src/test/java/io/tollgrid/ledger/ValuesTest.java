package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses R7 and R42 for what callers may build: a value outside its range is refused where it is
 * made, with a message that names it.
 */
class ValuesTest {
  private static final Id128 ID = new Id128(3, 4);
  private static final GrantPolicy POLICY = GrantPolicy.of(1, 2);

  private static void refused(Runnable making) {
    assertThatThrownBy(making::run).isInstanceOf(IllegalArgumentException.class);
  }

  @Nested
  class Commands {
    @Test
    void anAccountIsNotCreatedClosed() {
      refused(
          () ->
              new LedgerCommand.Create(
                  ID, AccountStatus.CLOSED, CapacityClass.ASSURED, AccountTerms.STRICT));
    }

    @Test
    void depositsAndCreditsAreOneUnitOrMore() {
      new LedgerCommand.Deposit(ID, 1);
      refused(() -> new LedgerCommand.Deposit(ID, 0));
      refused(() -> new LedgerCommand.Deposit(ID, -1));
      new LedgerCommand.Credit(ID, ID, 0, 1);
      refused(() -> new LedgerCommand.Credit(ID, ID, 0, 0));
    }

    @Test
    void aScheduleIsNotClearedAtOnce() {
      refused(
          () -> new LedgerCommand.SetSchedule(ID, null, LedgerCommand.SetSchedule.Effective.NOW));
    }

    @Test
    void aLeaseLastsSomeTimeAndNothingIsNegative() {
      new LedgerCommand.Acquire(ID, ID, POLICY, 1, 0);
      refused(() -> new LedgerCommand.Acquire(ID, ID, POLICY, 0, 0));
      refused(() -> new LedgerCommand.Acquire(ID, ID, POLICY, 1, -1));
      new LedgerCommand.Consolidate(ID, ID, ID, 1, 0, POLICY, 1, 0);
      refused(() -> new LedgerCommand.Consolidate(ID, ID, ID, 1, -1, POLICY, 1, 0));
      refused(() -> new LedgerCommand.Consolidate(ID, ID, ID, 1, 0, POLICY, 0, 0));
      refused(() -> new LedgerCommand.Consolidate(ID, ID, ID, 1, 0, POLICY, 1, -1));
    }

    @Test
    void stepsCountFromOne() {
      new LedgerCommand.Return(ID, 1, 1, 0);
      refused(() -> new LedgerCommand.Return(ID, 1, 0, 0));
      refused(() -> new LedgerCommand.Return(ID, 1, 1, -1));
      new LedgerCommand.Renew(ID, 1, 1, 1);
      refused(() -> new LedgerCommand.Renew(ID, 1, 0, 1));
      refused(() -> new LedgerCommand.Renew(ID, 1, 1, 0));
      new LedgerCommand.Release(ID, 1, 1, 0);
      refused(() -> new LedgerCommand.Release(ID, 1, 0, 0));
      refused(() -> new LedgerCommand.Release(ID, 1, 1, -1));
    }

    @Test
    void aBatchHoldsOneTo512Events() {
      final UsageEvent event = OneAccount.event(ID, 0, new Funding.Overage(), 1, ID, 1);

      refused(() -> new LedgerCommand.RecordUsage(List.of()));
      new LedgerCommand.RecordUsage(Collections.nCopies(512, event));
      refused(() -> new LedgerCommand.RecordUsage(Collections.nCopies(513, event)));
    }
  }

  @Nested
  class Policies {
    @Test
    void aGrantPolicyHasZeroBelowMinimumBelowTarget() {
      new GrantPolicy(1, 1, 1, 1);
      refused(() -> new GrantPolicy(0, 1, 1, 1));
      refused(() -> new GrantPolicy(2, 1, 1, 1));
      refused(() -> new GrantPolicy(1, 1, 0, 1));
      refused(() -> new GrantPolicy(1, 1, 1, 0));
      assertThat(GrantPolicy.of(3, 4)).isEqualTo(new GrantPolicy(3, 4, 2, 1L << 40));
    }

    @Test
    void strictTermsHaveNoOverageCap() {
      new AccountTerms(EnforcementMode.ELASTIC, 1, RateLimits.NONE, 0);
      new AccountTerms(EnforcementMode.STRICT, 0, RateLimits.NONE, 0);
      refused(() -> new AccountTerms(EnforcementMode.STRICT, 1, RateLimits.NONE, 0));
      refused(() -> new AccountTerms(EnforcementMode.ELASTIC, -1, RateLimits.NONE, 0));
      refused(() -> new AccountTerms(EnforcementMode.ELASTIC, 1, RateLimits.NONE, -1));
      assertThat(AccountTerms.elastic(7))
          .isEqualTo(new AccountTerms(EnforcementMode.ELASTIC, 7, RateLimits.NONE, 0));
    }

    @Test
    void aRateHasABurstAndABurstHasARate() {
      new RateLimits(1, 1, 1, 1);
      new RateLimits(0, 0, 1, 1);
      refused(() -> new RateLimits(1, 0, 0, 0));
      refused(() -> new RateLimits(0, 1, 0, 0));
      refused(() -> new RateLimits(0, 0, 1, 0));
      refused(() -> new RateLimits(0, 0, 0, 1));
      refused(() -> new RateLimits(-1, -1, 0, 0));
      refused(() -> new RateLimits(1, -1, 0, 0));
    }

    @Test
    void aPolicyGenerationStartsAtOne() {
      refused(
          () ->
              new AccountPolicy(
                  0, AccountStatus.ACTIVE, CapacityClass.ASSURED, AccountTerms.STRICT, false));
    }

    @Test
    void limitsThatBoundNothingAreRefused() {
      Limits.with(l -> l.maxTtlNanos = 1);
      Limits.with(l -> l.graceNanos = 0);
      Limits.with(l -> l.settledKept = 0);
      Limits.with(l -> l.lossKept = 0);
      Limits.with(l -> l.stragglerHorizonNanos = 0);
      refused(() -> Limits.with(l -> l.maxTtlNanos = 0));
      refused(() -> Limits.with(l -> l.graceNanos = -1));
      refused(() -> Limits.with(l -> l.maxActiveLeases = 0));
      refused(() -> Limits.with(l -> l.settledKept = -1));
      refused(() -> Limits.with(l -> l.lossKept = -1));
      refused(() -> Limits.with(l -> l.stragglerHorizonNanos = -1));
      refused(() -> Limits.with(l -> l.maxReclaimed = 0));
      refused(() -> new LedgerLimits(1, 0, 1, 0, 0, 0, 0, 0, 1, 1));
      refused(() -> new LedgerLimits(1, 0, 1, 0, 0, 0, 1, -1, 1, 1));
      refused(() -> new LedgerLimits(1, 0, 1, 0, 0, 0, 1, 0, 1, 0));
    }

    @Test
    void theDefaultLimitsAreThePublishedOnes() {
      final LedgerLimits limits = LedgerLimits.DEFAULTS;

      assertThat(limits.maxTtlNanos()).isEqualTo(600_000_000_000L);
      assertThat(limits.graceNanos()).isEqualTo(15_000_000_000L);
      assertThat(limits.maxActiveLeases()).isEqualTo(4_096);
      assertThat(limits.settledKept()).isEqualTo(16);
      assertThat(limits.lossKept()).isEqualTo(64);
      assertThat(limits.stragglerHorizonNanos()).isEqualTo(72 * 3_600_000_000_000L);
      assertThat(limits.requestIdHorizonNanos()).isEqualTo(400 * 86_400_000_000_000L);
      assertThat(limits.recallNanos()).isEqualTo(5_000_000_000L);
    }
  }

  @Nested
  class Events {
    private UsageEvent event(
        int part, long units, long requests, long sequence, List<MeterUnits> meters) {
      return new UsageEvent(
          ID,
          part,
          LegRole.CAP,
          new Funding.Overage(),
          units,
          requests,
          meters,
          ID,
          Bits256.ZERO,
          1,
          ID,
          sequence);
    }

    @Test
    void nothingIsNegativeAndCountsStartAtOne() {
      event(0, 0, 1, 1, List.of());
      refused(() -> event(-1, 0, 1, 1, List.of()));
      refused(() -> event(0, -1, 1, 1, List.of()));
      refused(() -> event(0, 0, 0, 1, List.of()));
      refused(() -> event(0, 0, 1, 0, List.of()));
    }

    @Test
    void theMetersSumToTheUnits() {
      event(0, 5, 1, 1, List.of(new MeterUnits("a", 2), new MeterUnits("b", 3)));
      refused(() -> event(0, 5, 1, 1, List.of(new MeterUnits("a", 2), new MeterUnits("b", 2))));
      refused(() -> event(0, 5, 1, 1, List.of(new MeterUnits("a", 2), new MeterUnits("b", 4))));
      refused(
          () ->
              event(
                  0,
                  1,
                  1,
                  1,
                  List.of(
                      new MeterUnits("a", Long.MAX_VALUE), new MeterUnits("b", Long.MAX_VALUE))));
    }

    @Test
    void anEventHasAtMostSixteenMeters() {
      event(0, 16, 1, 1, Collections.nCopies(16, new MeterUnits("a", 1)));
      refused(() -> event(0, 17, 1, 1, Collections.nCopies(17, new MeterUnits("a", 1))));
    }

    @Test
    void aMeterHasANameOfOneTo64CharactersAndNoNegativeUnits() {
      new MeterUnits("m".repeat(64), 0);
      refused(() -> new MeterUnits("m".repeat(65), 0));
      refused(() -> new MeterUnits("", 0));
      refused(() -> new MeterUnits("m", -1));
    }
  }

  @Nested
  class Text {
    /** What no database takes, no log can show, or no encoding carries. */
    @ParameterizedTest
    @ValueSource(
        strings = {"a\u0000b", "a\nb", "\u007f", "\u0085", "\ud800", "x\udc00y", "\udc00\ud800"})
    void textThatCannotBeStoredIsRefusedWhereItEnters(String text) {
      refused(() -> new MeterUnits(text, 0));
      refused(() -> new LedgerRequest(ID, text, 0, new LedgerCommand.Cross()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tokens", "jetons d’entrée", "トークン", "🪙", " ", ""})
    void anyOtherTextIsTaken(String text) {
      assertThat(new MeterUnits("m" + text, 0).meter()).isEqualTo("m" + text);
      assertThat(new LedgerRequest(ID, text, 0, new LedgerCommand.Cross()).actor()).isEqualTo(text);
    }

    @Test
    void anActorHasAtMost128Characters() {
      new LedgerRequest(ID, "a".repeat(128), 0, new LedgerCommand.Cross());
      refused(() -> new LedgerRequest(ID, "a".repeat(129), 0, new LedgerCommand.Cross()));
    }
  }

  @Nested
  class AttachedRows {
    private final StoredRow command = new StoredRow.CommandRow(ID, new Outcome.Funded(1, 1));
    private final StoredRow rejected = new StoredRow.RejectedRow(UsageVerdict.BEYOND_LEASE);

    private void attach(RowKey key, StoredRow row) {
      new LedgerRequest(ID, "a", 0, new LedgerCommand.Cross(), Map.of(key, Optional.of(row)));
    }

    @Test
    void aRowIsOfTheKindItsKeySays() {
      attach(new RowKey.CommandKey(ID), command);
      attach(new RowKey.DeliveryKey(ID, 1), rejected);
      refused(() -> attach(new RowKey.LeaseKey(ID), command));
      refused(() -> attach(new RowKey.CommandKey(ID), rejected));
      refused(() -> attach(new RowKey.UsageKey(ID, 0), command));
      refused(() -> attach(new RowKey.DeliveryKey(ID, 1), command));
    }

    @Test
    void aLeaseIsUnderItsOwnId() {
      final OneAccount account = OneAccount.with(10);
      final Lease lease = account.lease(1);

      attach(new RowKey.LeaseKey(lease.id()), new StoredRow.LeaseRow(lease));
      refused(() -> attach(new RowKey.LeaseKey(ID), new StoredRow.LeaseRow(lease)));
    }

    @Test
    void theSameRequestCanCarryOtherRows() {
      final LedgerRequest bare = new LedgerRequest(ID, "a", 7, new LedgerCommand.Cross());
      final LedgerRequest with =
          bare.withRows(Map.of(new RowKey.CommandKey(ID), Optional.of(command)));

      assertThat(with.rows()).containsOnlyKeys(new RowKey.CommandKey(ID));
      assertThat(with.withRows(Map.of())).isEqualTo(bare);
    }
  }

  @Test
  void aLedgerIsOnlyAskedAboutItsOwnAccount() {
    final OneAccount account = OneAccount.created();
    final LedgerRequest other = new LedgerRequest(ID, "a", 0, new LedgerCommand.Cross());

    refused(() -> Ledger.apply(account.ledger(), other, account.now(), LedgerLimits.DEFAULTS));
  }

  @Test
  void aLoadedEntryHasNoNotesYet() {
    final OneAccount account = OneAccount.created();

    assertThat(LedgerEntry.loaded(account.ledger(), 7))
        .isEqualTo(new LedgerEntry(account.ledger(), 7, null, List.of()));
  }
}
