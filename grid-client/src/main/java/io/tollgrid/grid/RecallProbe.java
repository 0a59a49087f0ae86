package io.tollgrid.grid;

import com.hazelcast.map.EntryProcessor;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.Recall;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the recall beside a ledger: a hint from memory, so it is neither checked nor stored. */
final class RecallProbe implements EntryProcessor<String, LedgerEntry, byte[]> {
  private static final long serialVersionUID = 1L;

  @Override
  public byte[] process(Map.Entry<String, LedgerEntry> entry) {
    final @Nullable LedgerEntry current = entry.getValue();
    final Recall recall = current == null ? null : current.recall();
    return LedgerReply.of(recall).toBytes();
  }

  @Override
  public @Nullable EntryProcessor<String, LedgerEntry, byte[]> getBackupProcessor() {
    return null;
  }
}
