package io.tollgrid.node.fence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** CP in memory: it can be away, forget, and do something in the middle of a draw. */
final class ScriptedCp implements FenceSource {
  final Map<Integer, Long> drawn = new ConcurrentHashMap<>();
  final List<Integer> draws = new CopyOnWriteArrayList<>();
  volatile boolean away;
  volatile Runnable whileDrawing = () -> {};

  @Override
  public Map<Integer, Long> draw(Map<Integer, Long> floors, Duration limit)
      throws SourceUnreachableException {
    if (away) {
      throw new SourceUnreachableException("away", new IllegalStateException("planted"));
    }
    final Map<Integer, Long> fences = new HashMap<>();
    floors.forEach(
        (partition, floor) -> {
          draws.add(partition);
          fences.put(
              partition,
              drawn.compute(
                  partition, (p, last) -> new RaiseAbove(floor).apply(last == null ? 0L : last)));
        });
    whileDrawing.run();
    return fences;
  }

  /** Draws of one partition so far. */
  List<Integer> drawsOf(int partition) {
    final List<Integer> found = new ArrayList<>(draws);
    found.removeIf(drawn -> drawn != partition);
    return found;
  }
}
