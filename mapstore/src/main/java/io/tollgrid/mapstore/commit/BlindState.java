package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.store.StoredState;
import io.tollgrid.ledger.store.Transition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a committer with a planted bug believes it read: what the chain expects. */
record BlindState(StoredState seen, List<Transition> chain, Defects defects)
    implements StoredState {
  @Override
  public long fence(int partition) {
    return defects.fenceUnchecked() ? chain.get(0).ownershipFence() : seen.fence(partition);
  }

  @Override
  public long version(Id128 account) {
    return defects.versionUnchecked()
        ? chain.get(0).effects().baseVersion()
        : seen.version(account);
  }

  @Override
  public @Nullable StoredRow row(Id128 account, RowKey key) {
    return chain.stream().anyMatch(transition -> overlooks(transition, key))
        ? null
        : seen.row(account, key);
  }

  private boolean overlooks(Transition transition, RowKey key) {
    final boolean isBlind =
        key instanceof RowKey.LeaseKey
            ? defects.leaseUpserted()
            : defects.scheduleRetried()
                && transition.effects().request().command() instanceof LedgerCommand.SetSchedule set
                && set.effective() == LedgerCommand.SetSchedule.Effective.NOW;
    return isBlind && transition.effects().absent().contains(key);
  }
}
