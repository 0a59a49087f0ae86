package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The three things a ledger client asks of a grid; a port, so that the client's patience is tested
 * without one.
 */
interface LedgerGrid {
  /**
   * Runs one attempt on the account's owner. Answers as many commands of its chain as were decided,
   * at least one.
   */
  CompletionStage<List<LedgerReply>> attempt(LedgerProcessor processor);

  /** Reads the recall beside an account's ledger. */
  CompletionStage<LedgerReply> recall(Id128 account);

  /** Has the owner read rows. */
  CompletionStage<Map<RowKey, Optional<StoredRow>>> rows(Id128 account, List<RowKey> keys);

  /** Throws memory of an account away, so that the next attempt reads the authority. Blocks. */
  void evict(Id128 account);
}
