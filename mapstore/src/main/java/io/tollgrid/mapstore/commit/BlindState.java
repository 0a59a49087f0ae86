package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.store.StoredState;
import io.tollgrid.ledger.store.Transition;
import org.jspecify.annotations.Nullable;

/** What a committer with a planted bug believes it read: what the transition expects. */
record BlindState(StoredState seen, Transition expected, Defects defects) implements StoredState {
  @Override
  public long fence(int partition) {
    return defects.fenceUnchecked() ? expected.ownershipFence() : seen.fence(partition);
  }

  @Override
  public long version(Id128 account) {
    return defects.versionUnchecked() ? expected.effects().baseVersion() : seen.version(account);
  }

  @Override
  public @Nullable StoredRow row(Id128 account, RowKey key) {
    return seen.row(account, key);
  }
}
