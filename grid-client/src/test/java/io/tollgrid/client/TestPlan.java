package io.tollgrid.client;

import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;

/** A plan whose one operation costs a unit per item; a principal has the id of its account. */
final class TestPlan {
  private TestPlan() {}

  static Operation work(Instance instance) {
    return instance.operation("work");
  }

  static void admit(Instance instance, Id128 account) {
    final Publication plan =
        instance.publish(Plan.open("test", OperationPrice.of("work", MeterPrice.perItem("units"))));
    final Publication assigned = instance.assign(PrincipalSnapshot.of(account, "test", account));
    if (assigned != Publication.ACCEPTED && assigned != Publication.CONFIRMED) {
      throw new AssertionError(plan + ", " + assigned);
    }
  }
}
