package io.tollgrid.node.replay;

import org.jspecify.annotations.Nullable;

/**
 * What a worker takes from its queue.
 *
 * @param row the row to serve, or null at the end of the trace
 * @param rank the account it belongs to
 */
record ReplayTask(@Nullable TraceRow row, int rank) {
  static final ReplayTask END = new ReplayTask(null, 0);
}
