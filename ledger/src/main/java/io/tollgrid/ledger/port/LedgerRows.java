package io.tollgrid.ledger.port;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads rows that are not in an account's entry. Blocks; never called from a partition thread. */
public interface LedgerRows {
  /** Every key with its row, or empty if there is none. */
  Map<RowKey, Optional<StoredRow>> fetch(Id128 account, Set<RowKey> keys);
}
