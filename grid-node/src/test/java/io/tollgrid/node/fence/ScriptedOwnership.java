package io.tollgrid.node.fence;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A partition table in memory. */
final class ScriptedOwnership implements Ownership {
  final Set<Integer> table = ConcurrentHashMap.newKeySet();
  volatile boolean majority = true;

  ScriptedOwnership(Integer... owned) {
    table.addAll(Set.of(owned));
  }

  @Override
  public Set<Integer> owned() {
    return Set.copyOf(table);
  }

  @Override
  public boolean owns(int partition) {
    return table.contains(partition);
  }

  @Override
  public boolean majority() {
    return majority;
  }
}
