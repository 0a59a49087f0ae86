package io.tollgrid.node.member;

import com.hazelcast.core.HazelcastInstance;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Notices that the cluster's master does not hand out partitions any more, and has it replaced.
 *
 * <p>Hazelcast 5.3.8 was seen to wait for minutes for the end of one migration, and for nothing
 * else meanwhile (docs/decisions/0006): the partitions of members that leave stay without an owner,
 * and their ledgers without service. The next master starts afresh. Runs on one thread.
 */
public final class PartitionWatch {
  /**
   * Passes in a row that must see orphans under the same members. A master that works gives them
   * away within a second or two; patience costs less than a restart for nothing.
   */
  static final int PATIENCE = 20;

  private final PartitionTable table;
  private final Consumer<String> restart;
  private Set<UUID> members = Set.of();
  private int passes;

  /** A watch over a member's cluster; see {@link #pass}. */
  public PartitionWatch(HazelcastInstance member, Consumer<String> restart) {
    this(new HazelcastPartitionTable(member), restart);
  }

  /**
   * @param restart asked for a new process, with the reason
   */
  PartitionWatch(PartitionTable table, Consumer<String> restart) {
    this.table = table;
    this.restart = restart;
  }

  /** One look, to be taken about once a second. */
  public void pass() {
    final Set<UUID> now = table.members();
    final int orphans = table.orphans();
    if (orphans == 0 || !table.handedOutHere() || !now.equals(members)) {
      members = now;
      passes = 0;
      return;
    }
    if (++passes == PATIENCE) {
      restart.accept(
          "this member hands out the cluster's partitions, and has left "
              + orphans
              + " without an owner for "
              + PATIENCE
              + " looks; another member can hand them out once it is gone");
    }
  }
}
