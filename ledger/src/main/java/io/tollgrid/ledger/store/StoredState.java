package io.tollgrid.ledger.store;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import org.jspecify.annotations.Nullable;

/** What a store read, under its locks, for one batch. */
public interface StoredState {
  /** The fence at rest of a partition. */
  long fence(int partition);

  /** The stored version of an account, 0 if it does not exist. */
  long version(Id128 account);

  /** The row under a key of an account, or null if there is none. */
  @Nullable StoredRow row(Id128 account, RowKey key);
}
