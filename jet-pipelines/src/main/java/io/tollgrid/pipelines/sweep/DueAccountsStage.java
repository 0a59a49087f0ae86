package io.tollgrid.pipelines.sweep;

import com.hazelcast.jet.core.AbstractProcessor;
import io.tollgrid.ledger.Id128;
import java.util.Map;

/** The last stage: serves this member's accounts, as many at once as the sweep may. */
final class DueAccountsStage extends AbstractProcessor {
  private final AccountSweep accounts;

  DueAccountsStage(AccountSweep accounts) {
    this.accounts = accounts;
  }

  /**
   * Leaves an item where it is while there is no room; Jet then asks again, and holds the source.
   */
  @Override
  protected boolean tryProcess0(Object item) {
    final Map.Entry<?, ?> due = (Map.Entry<?, ?>) item;
    return accounts.offer(Id128.parse((String) due.getKey()), (Long) due.getValue());
  }
}
