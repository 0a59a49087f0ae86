package io.tollgrid.node.fence;

/**
 * Whether CP answered when it was last asked. Starts as "no": a cold start must not wait for it.
 */
public final class CpHealth {
  private volatile boolean reachable;

  /** Whether CP answered when it was last asked. */
  public boolean reachable() {
    return reachable;
  }

  /** CP answered. */
  void answered() {
    reachable = true;
  }

  /** CP did not answer in time. */
  void failed() {
    reachable = false;
  }
}
