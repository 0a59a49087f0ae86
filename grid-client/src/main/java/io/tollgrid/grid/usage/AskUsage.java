package io.tollgrid.grid.usage;

import com.hazelcast.core.ReadOnly;
import com.hazelcast.map.EntryProcessor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks what is known of a batch; null if it is not there. */
final class AskUsage implements EntryProcessor<String, InboxEntry, byte[]>, ReadOnly {
  private static final long serialVersionUID = 1L;

  @Override
  public byte @Nullable [] process(Map.Entry<String, InboxEntry> entry) {
    final @Nullable InboxEntry there = entry.getValue();
    return there == null ? null : there.verdicts().toBytes();
  }

  @Override
  public @Nullable EntryProcessor<String, InboxEntry, byte[]> getBackupProcessor() {
    return null;
  }
}
