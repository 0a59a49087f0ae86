package io.tollgrid.pipelines.maintenance;

import java.time.Duration;

/** How far this member's clock is from PostgreSQL's (R57). Thread-safe. */
@FunctionalInterface
public interface ClockWatch {
  /**
   * By how much it is surely wrong, positive if it is ahead and negative if it is behind; zero
   * while that is within the allowed skew.
   */
  Duration beyondSkew();
}
