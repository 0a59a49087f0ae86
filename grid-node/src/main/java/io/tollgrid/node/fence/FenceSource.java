package io.tollgrid.node.fence;

import java.time.Duration;
import java.util.Map;

/** Issues fences that are higher than any it issued before for the same partition. */
interface FenceSource {
  /**
   * Draws one fence per partition, each above its floor. Blocks, and at most {@code limit}.
   *
   * @param floors the fence at rest by partition
   * @return the fences drawn; a draw whose answer is lost costs a number and nothing else
   * @throws SourceUnreachableException if not all could be drawn in time
   */
  Map<Integer, Long> draw(Map<Integer, Long> floors, Duration limit)
      throws SourceUnreachableException, InterruptedException;

  /** A source that did not answer in time. */
  final class SourceUnreachableException extends Exception {
    private static final long serialVersionUID = 1L;

    SourceUnreachableException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
