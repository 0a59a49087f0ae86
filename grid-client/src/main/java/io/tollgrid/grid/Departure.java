package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;

/** The way out of a grid, for a member or a client. */
public final class Departure {
  private Departure() {}

  /**
   * Leaves in order if that is possible in time, and at once if it is not: below its majority, CP
   * lets nobody go.
   *
   * @return whether it left in order
   */
  public static boolean leave(HazelcastInstance hazelcast, Duration within) {
    final Thread leaving = new Thread(hazelcast::shutdown, "tollgrid-leave");
    leaving.setDaemon(true);
    leaving.start();
    try {
      leaving.join(Math.max(1, within.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!leaving.isAlive()) {
      return true;
    }
    hazelcast.getLifecycleService().terminate();
    return false;
  }
}
