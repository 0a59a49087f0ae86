package io.tollgrid.node.doctor;

import io.tollgrid.pipelines.Alarm;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of one alarm's self-test.
 *
 * @param alarm which
 * @param firedAfter how long after its cause it fired; null if it was not seen to
 * @param clearedAfter how long after its cause had gone it cleared; null if it was not seen to
 * @param problem what is wrong, for a person; null if all is well
 */
public record Diagnosis(
    Alarm alarm,
    @Nullable Duration firedAfter,
    @Nullable Duration clearedAfter,
    @Nullable String problem) {
  /** Whether the alarm does what it is there for. */
  public boolean good() {
    return problem == null;
  }
}
