package io.tollgrid.node.local;

import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;

/**
 * The plan of the loads that the command line generates: one operation, which costs a unit per
 * token. A principal of it has the id of the account that pays.
 */
public final class TokenPlan {
  private static final String NAME = "tokens";
  private static final String OPERATION = "completion";
  private static final String METER = "llm.tokens";

  private final InstanceRuntime instance;

  /** The plan, published to an instance. */
  public TokenPlan(final InstanceRuntime instance) {
    this.instance = instance;
    accepted(
        instance.publish(Plan.open(NAME, OperationPrice.of(OPERATION, MeterPrice.perItem(METER)))));
  }

  /** Lets requests spend from an account that is open. */
  public void admit(final Id128 account) {
    accepted(instance.assign(PrincipalSnapshot.of(account, NAME, account)));
  }

  /** What requests ask for: a completion of so many tokens. */
  public Operation completion() {
    return instance.operation(OPERATION);
  }

  private static void accepted(final Publication publication) {
    if (publication != Publication.ACCEPTED && publication != Publication.CONFIRMED) {
      throw new IllegalStateException("a generated load was not admitted: " + publication);
    }
  }
}
