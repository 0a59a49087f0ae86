package io.tollgrid.grid.usage;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Leaves a batch where it belongs, unless it is there; the answer is what is known of it. */
final class LeaveUsage
    implements EntryProcessor<String, InboxEntry, byte[]>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;

  private final transient byte[] events;
  private final transient int count;
  private final transient boolean rings;
  private transient @Nullable HazelcastInstance member;

  /** {@code rings} where whoever takes batches is to be told. */
  LeaveUsage(byte[] events, int count, boolean rings) {
    this.events = events;
    this.count = count;
    this.rings = rings;
  }

  byte[] events() {
    return events;
  }

  int count() {
    return count;
  }

  boolean rings() {
    return rings;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    member = instance;
  }

  @Override
  public byte[] process(Map.Entry<String, InboxEntry> entry) {
    final @Nullable InboxEntry there = entry.getValue();
    if (there != null) {
      return there.verdicts().toBytes();
    }
    final InboxEntry left = InboxEntry.left(events, count);
    entry.setValue(left);
    if (rings
        && member != null
        && member.getUserContext().get(UsageDoorbell.CONTEXT_KEY) instanceof UsageDoorbell bell) {
      bell.left(new LeftUsage(entry.getKey(), events, left.verdicts()));
    }
    return left.verdicts().toBytes();
  }

  @Override
  public EntryProcessor<String, InboxEntry, byte[]> getBackupProcessor() {
    return new LeaveUsage(events, count, false);
  }
}
