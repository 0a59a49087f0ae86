package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import com.hazelcast.map.IMap;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A Hazelcast grid seen from a member, a lite member or a client. */
final class HazelcastLedgerGrid implements LedgerGrid {
  private final IMap<String, LedgerEntry> ledgers;
  private final IExecutorService rows;

  HazelcastLedgerGrid(HazelcastInstance hazelcast) {
    ledgers = hazelcast.getMap(GridNames.LEDGERS);
    rows = hazelcast.getExecutorService(GridNames.LEDGER_ROWS);
  }

  @Override
  public CompletionStage<List<LedgerReply>> attempt(LedgerProcessor processor) {
    return ledgers
        .submitToKey(GridNames.ledgerKey(processor.account()), processor)
        .thenApply(LedgerReply::allFromBytes);
  }

  @Override
  public CompletionStage<LedgerReply> recall(Id128 account) {
    return ledgers
        .submitToKey(GridNames.ledgerKey(account), new RecallProbe())
        .thenApply(LedgerReply::fromBytes);
  }

  @Override
  public CompletionStage<Map<RowKey, Optional<StoredRow>>> rows(Id128 account, List<RowKey> keys) {
    final TaskAnswer<Map<RowKey, Optional<StoredRow>>> fetched =
        new TaskAnswer<>(LedgerCodec::decodeRows);
    rows.submitToKeyOwner(new FetchRows(account, keys), GridNames.ledgerKey(account), fetched);
    return fetched;
  }

  @Override
  public void evict(Id128 account) {
    ledgers.evict(GridNames.ledgerKey(account));
  }
}
