package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import org.junit.jupiter.api.Test;

/** The ten lines of the guide, run. */
class StandaloneExampleTest {
  @Test
  void admissionWorksWithoutAnyGrid() {
    final Id128 account = new Id128(0, 1);
    final Id128 ada = new Id128(0, 2);
    final long now = 0;

    final Admission admission =
        new Admission(new UsageQueue(1, 1_024, () -> {}), new OutcomeCounters(1));
    admission.openPrepaid(account, AccountTerms.STRICT, 10);
    admission
        .principals()
        .publish(Plan.open("chat", OperationPrice.of("completion", MeterPrice.perItem("tokens"))));
    admission.principals().resolved(PrincipalSnapshot.of(ada, "chat", account), Long.MAX_VALUE, 0);
    final AdmissionRequest request = admission.newRequest(new Id128(3, 4));
    Denial denial = request.begin(ada, now);
    if (denial == null) {
      denial = request.admit(admission.catalogue().operation("completion"), 7, now);
    }
    if (denial == null) {
      denial = request.start(now);
    }
    request.settle(5, now);

    assertThat(denial).isNull();
    assertThat(admission.usage().poll()).isNotNull();
    assertThat(request.begin(ada, now)).isNull();
    assertThat(request.admit(admission.catalogue().operation("completion"), 6, now))
        .isEqualTo(Denial.INSUFFICIENT_LEASE);
  }
}
