package io.tollgrid.client;

import io.tollgrid.grid.usage.UsageVerdicts;
import io.tollgrid.ledger.UsageVerdict;

/** Puts together what is known of a batch. */
final class VerdictsOf {
  private UsageVerdicts verdicts;

  VerdictsOf(int events) {
    verdicts = UsageVerdicts.none(events);
  }

  VerdictsOf first(int howMany, UsageVerdict verdict) {
    for (int i = 0; i < howMany; i++) {
      at(i, verdict);
    }
    return this;
  }

  VerdictsOf at(int position, UsageVerdict verdict) {
    verdicts = verdicts.with(position, verdict);
    return this;
  }

  UsageVerdicts verdicts() {
    return verdicts;
  }
}
