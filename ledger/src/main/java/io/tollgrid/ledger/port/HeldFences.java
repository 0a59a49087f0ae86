package io.tollgrid.ledger.port;

import java.util.OptionalLong;

/**
 * The ownership fences this member holds, one per ledger partition.
 *
 * <p>A fence says "whoever held an older one may not write any more". Safe for use from any thread;
 * no method blocks.
 */
public interface HeldFences {
  /** The fence held for a partition, if one is. */
  OptionalLong held(int partition);

  /**
   * Asks for a fence to be drawn in the background, single-flight, if none is held and this member
   * is the owner.
   */
  void request(int partition);

  /**
   * Gives up exactly this fence: what was read or decided under it must not be trusted any more.
   */
  void drop(int partition, long fence);
}
