package io.tollgrid.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Witnesses R40 for the partition table: a master that stands still does not stay master. */
class PartitionWatchTest {
  private final ScriptedTable table = new ScriptedTable();
  private final List<String> restarts = new ArrayList<>();
  private final PartitionWatch watch = new PartitionWatch(table, restarts::add);

  @Test
  void aMasterThatLeavesPartitionsWithoutAnOwnerAsksForANewProcessOnce() {
    table.orphans = 3;
    passes(PartitionWatch.PATIENCE);
    assertThat(restarts).isEmpty();

    passes(PartitionWatch.PATIENCE);

    assertThat(restarts).singleElement().asString().contains("3 without an owner");
  }

  @Test
  void orphansThatFoundAnOwnerAreForgotten() {
    for (int round = 0; round < 5; round++) {
      table.orphans = 3;
      passes(PartitionWatch.PATIENCE - 1);
      table.orphans = 0;
      passes(1);
    }

    assertThat(restarts).isEmpty();
  }

  @Test
  void aClusterThatChangesIsGivenTime() {
    table.orphans = 3;
    for (int round = 0; round < 5; round++) {
      table.members.add(new UUID(0, round));
      passes(PartitionWatch.PATIENCE);
    }

    assertThat(restarts).isEmpty();
  }

  @Test
  void onlyTheMasterOfAnActiveClusterIsAsked() {
    table.orphans = 3;
    table.handedOutHere = false;

    passes(10 * PartitionWatch.PATIENCE);

    assertThat(restarts).isEmpty();
  }

  private void passes(int count) {
    for (int i = 0; i < count; i++) {
      watch.pass();
    }
  }

  private static final class ScriptedTable implements PartitionTable {
    boolean handedOutHere = true;
    int orphans;
    final Set<UUID> members = new HashSet<>(Set.of(new UUID(1, 1)));

    @Override
    public boolean handedOutHere() {
      return handedOutHere;
    }

    @Override
    public int orphans() {
      return orphans;
    }

    @Override
    public Set<UUID> members() {
      return Set.copyOf(members);
    }
  }
}
