package io.tollgrid.grid;

import com.hazelcast.map.EntryProcessor;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Recall;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the recall beside a ledger: a hint from memory, so it is neither checked nor stored. */
final class RecallProbe implements EntryProcessor<String, LedgerEntry, LedgerReply> {
  private static final long serialVersionUID = 1L;

  @Override
  public LedgerReply process(Map.Entry<String, LedgerEntry> entry) {
    final @Nullable LedgerEntry current = entry.getValue();
    final Recall recall = current == null ? null : current.recall();
    return new LedgerReply(null, null, 0, 0, recall);
  }

  @Override
  public @Nullable EntryProcessor<String, LedgerEntry, LedgerReply> getBackupProcessor() {
    return null;
  }
}
