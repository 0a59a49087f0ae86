package io.tollgrid.pipelines.sweep;

import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.mapstore.sweep.DuePage;
import java.sql.SQLException;

/** Reads one page of what is due; blocks at most as long as its connections allow. */
@FunctionalInterface
public interface DueReads {
  /**
   * The first {@code limit} things due at a cutoff behind a place, oldest first.
   *
   * @param cutoffNanos what is due by then, epoch nanoseconds
   */
  DuePage page(long cutoffNanos, DueCursor after, int limit) throws SQLException;
}
