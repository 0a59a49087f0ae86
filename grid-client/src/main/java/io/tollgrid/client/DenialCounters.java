package io.tollgrid.client;

import io.tollgrid.admission.outcome.DenialMinutes;
import java.util.concurrent.atomic.LongAdder;

/** What became of an instance's denials on their way to the authority (R50). Thread-safe. */
public final class DenialCounters {
  final LongAdder reported = new LongAdder();
  final LongAdder dropped = new LongAdder();
  final LongAdder failedReports = new LongAdder();
  private final DenialMinutes denials;

  DenialCounters(final DenialMinutes denials) {
    this.denials = denials;
  }

  /** Denials that the authority keeps. */
  public long reported() {
    return reported.sum();
  }

  /** Denials that found no place here, as they happened or as they waited to be reported. */
  public long dropped() {
    return denials.dropped() + dropped.sum();
  }

  /** Reports that were not answered, or refused; each is sent again. */
  public long failedReports() {
    return failedReports.sum();
  }
}
