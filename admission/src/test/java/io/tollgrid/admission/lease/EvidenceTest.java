package io.tollgrid.admission.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.Evidence;
import org.junit.jupiter.api.Test;

/** Witnesses R15: which of two answers stands, and that a change of funding makes room for new. */
class EvidenceTest {
  private static final long NEVER = Long.MAX_VALUE;

  private final LeaseSlot slot = new LeaseSlot(() -> {});

  @Test
  void theAnswerOfAVersionNoOlderReplacesWhatIsKnown() {
    slot.evidence(new Evidence(5, NEVER, 9), 0, slot.fundingEpoch());
    slot.evidence(new Evidence(6, NEVER, 9), 0, slot.fundingEpoch());
    assertThat(slot.evidence()).isEqualTo(new Evidence(6, NEVER, 9));
    slot.evidence(new Evidence(7, NEVER, 10), 0, slot.fundingEpoch());

    assertThat(slot.evidence()).isEqualTo(new Evidence(7, NEVER, 10));
  }

  @Test
  void whatWasAskedAfterAChangeOfFundingIsKept() {
    final long before = slot.fundingEpoch();
    slot.fundingChanged();
    assertThat(slot.fundingEpoch()).isNotEqualTo(before);
    slot.evidence(new Evidence(5, NEVER, 9), 0, slot.fundingEpoch());
    assertThat(slot.evidence()).isEqualTo(new Evidence(5, NEVER, 9));

    slot.evidence(new Evidence(80, NEVER, 10), 60, slot.fundingEpoch());
    slot.evidence(new Evidence(70, NEVER, 11), 0, slot.fundingEpoch());
    assertThat(slot.evidence()).isEqualTo(new Evidence(70, NEVER, 11));
  }

  @Test
  void evidenceAsLargeAsItsOwnGrantIsKept() {
    slot.evidence(new Evidence(60, NEVER, 1), 60, slot.fundingEpoch());

    assertThat(slot.evidence()).isEqualTo(new Evidence(60, NEVER, 1));
  }

  @Test
  void aLateAnswerWithAGrantEndsWhatIsKnown() {
    final long asked = slot.fundingEpoch();
    slot.fundingChanged();
    slot.evidence(new Evidence(5, NEVER, 1), 0, slot.fundingEpoch());

    slot.evidence(new Evidence(90, NEVER, 2), 60, asked);

    assertThat(slot.evidence()).isNull();
  }

  @Test
  void anEmptySlotHasNothingFree() {
    assertThat(slot.freeUnits()).isZero();
    assertThat(slot.hopelessUnits()).isZero();
  }

  @Test
  void whatEvidenceRulesOutIsKeptUntilItIsTaken() {
    slot.evidence(new Evidence(5, NEVER, 1), 0, slot.fundingEpoch());
    assertThat(slot.refuse(7, 0, false, 0)).isEqualTo(Denial.BALANCE_INSUFFICIENT);
    assertThat(slot.refuse(6, 0, true, 0)).isEqualTo(Denial.BALANCE_INSUFFICIENT);
    assertThat(slot.refuse(5, 0, true, 0)).isEqualTo(Denial.LEG_CONFLICT);

    assertThat(slot.hopelessUnits()).isEqualTo(7);
    assertThat(slot.demandUnits()).isZero();
    assertThat(slot.takeHopelessDemand()).isEqualTo(7);
    assertThat(slot.hopelessUnits()).isZero();
  }
}
