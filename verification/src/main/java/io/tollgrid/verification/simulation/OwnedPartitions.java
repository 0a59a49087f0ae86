package io.tollgrid.verification.simulation;

import java.util.Arrays;

/**
 * What one member believes to own, and the fences it holds for it: drawn from consensus or issued
 * by the store, held once the store has raised its own (architecture §3.4).
 */
final class OwnedPartitions {
  private final Fleet fleet;
  private final boolean[] owned = new boolean[Scale.PARTITIONS];
  private final long[] held = new long[Scale.PARTITIONS];
  private final long[] drawn = new long[Scale.PARTITIONS];
  private final boolean[] wanted = new boolean[Scale.PARTITIONS];

  OwnedPartitions(Fleet fleet) {
    this.fleet = fleet;
  }

  boolean owns(int partition) {
    return owned[partition];
  }

  /** The fence held, 0 for none. */
  long held(int partition) {
    return held[partition];
  }

  boolean hasDrawn(int partition) {
    return drawn[partition] != 0;
  }

  boolean wantsFence(int partition) {
    return owned[partition] && held[partition] == 0 && wanted[partition];
  }

  /** Asks for a fence to be drawn in the background. */
  void want(int partition) {
    wanted[partition] = true;
  }

  /** Gives up exactly this fence. */
  void drop(int partition, long fence) {
    if (held[partition] == fence) {
      held[partition] = 0;
    }
  }

  boolean draw(int partition) {
    if (!owned[partition] || held[partition] != 0) {
      return false;
    }
    drawn[partition] = fleet.consensus().draw(partition, fleet.store().fence(partition));
    return true;
  }

  boolean raise(int partition, boolean replyLost) {
    if (drawn[partition] == 0) {
      return false;
    }
    if (fleet.store().fenceIsShared(partition)) {
      fleet.coverage().saw(Scenario.TAKEOVER_WAITED_FOR_LATE_COMMIT);
      return false;
    }
    final long fence = drawn[partition];
    drawn[partition] = 0;
    if (!fleet.store().raise(partition, fence)) {
      fleet.coverage().saw(Scenario.FENCE_DRAWN_AGAIN);
      wanted[partition] = true;
    } else if (!replyLost && owned[partition]) {
      hold(partition, fence);
    }
    return true;
  }

  boolean issue(int partition) {
    if (!owned[partition] || held[partition] != 0 || fleet.store().fenceIsShared(partition)) {
      return false;
    }
    fleet.coverage().saw(Scenario.FENCE_ISSUED_BY_STORE);
    hold(partition, fleet.store().issue(partition));
    return true;
  }

  private void hold(int partition, long fence) {
    fleet.fenceHeld(partition, fence);
    held[partition] = fence;
    drawn[partition] = 0;
    wanted[partition] = false;
  }

  void gain(int partition) {
    owned[partition] = true;
  }

  void leave(int partition) {
    owned[partition] = false;
    held[partition] = 0;
    drawn[partition] = 0;
    wanted[partition] = false;
  }

  /** Whatever is held must be drawn again. */
  void dropAll() {
    Arrays.fill(held, 0);
    Arrays.fill(drawn, 0);
  }

  /** The member died. */
  void forget() {
    for (int partition = 0; partition < Scale.PARTITIONS; partition++) {
      leave(partition);
    }
  }
}
