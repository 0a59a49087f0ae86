package io.tollgrid.node.embedding;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.request.AdmissionRequest;

/** The value of a {@code Retry-After} header. */
final class RetryAfter {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private RetryAfter() {}

  /** Whole seconds from {@code nowNanos}, at least 1; 0 where the same request never passes. */
  static long seconds(Denial denial, AdmissionRequest request, long nowNanos) {
    if (denial.isFinal()) {
      return 0;
    }
    final long waitNanos = Math.max(1, request.retryAtNanos() - nowNanos);
    return Math.max(1, Math.floorDiv(waitNanos - 1, NANOS_PER_SECOND) + 1);
  }
}
