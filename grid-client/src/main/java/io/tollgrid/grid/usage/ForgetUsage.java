package io.tollgrid.grid.usage;

import com.hazelcast.map.EntryProcessor;
import java.util.Map;

/**
 * Takes a batch away. Not {@code IMap.remove}: that answers with the old value, whose schema a
 * client would have to fetch on the thread that is to receive it.
 */
final class ForgetUsage implements EntryProcessor<String, InboxEntry, Boolean> {
  private static final long serialVersionUID = 1L;

  @Override
  @SuppressWarnings("NullAway") // how an entry is removed
  public Boolean process(Map.Entry<String, InboxEntry> entry) {
    entry.setValue(null);
    return true;
  }

  @Override
  public EntryProcessor<String, InboxEntry, Boolean> getBackupProcessor() {
    return this;
  }
}
