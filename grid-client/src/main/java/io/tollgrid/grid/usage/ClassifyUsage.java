package io.tollgrid.grid.usage;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.ExtendedMapEntry;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what the ledgers said of some events of a batch, and whether it is still there. A
 * batch all of whose events are classified stays for a while, for a writer that comes late.
 */
final class ClassifyUsage implements EntryProcessor<String, InboxEntry, Boolean> {
  private static final long serialVersionUID = 1L;
  private static final long ANSWERED_STAYS_SECONDS = 60;

  private final transient int[] positions;
  private final transient byte[] verdicts;

  ClassifyUsage(int[] positions, byte[] verdicts) {
    this.positions = positions;
    this.verdicts = verdicts;
  }

  int[] positions() {
    return positions;
  }

  byte[] verdicts() {
    return verdicts;
  }

  @Override
  public Boolean process(Map.Entry<String, InboxEntry> entry) {
    final @Nullable InboxEntry there = entry.getValue();
    if (there == null) {
      return false;
    }
    final InboxEntry next = there.with(positions, verdicts);
    if (next.verdicts().isComplete()) {
      ((ExtendedMapEntry<String, InboxEntry>) entry)
          .setValue(next, ANSWERED_STAYS_SECONDS, TimeUnit.SECONDS);
    } else {
      entry.setValue(next);
    }
    return true;
  }

  @Override
  public EntryProcessor<String, InboxEntry, Boolean> getBackupProcessor() {
    return this;
  }
}
