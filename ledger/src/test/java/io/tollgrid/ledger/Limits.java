package io.tollgrid.ledger;

import java.util.function.Consumer;

/** The default limits with a few of them changed. */
final class Limits {
  long maxTtlNanos = LedgerLimits.DEFAULTS.maxTtlNanos();
  long graceNanos = LedgerLimits.DEFAULTS.graceNanos();
  int maxActiveLeases = LedgerLimits.DEFAULTS.maxActiveLeases();
  int settledKept = LedgerLimits.DEFAULTS.settledKept();
  int lossKept = LedgerLimits.DEFAULTS.lossKept();
  long stragglerHorizonNanos = LedgerLimits.DEFAULTS.stragglerHorizonNanos();
  int maxReclaimed = LedgerLimits.DEFAULTS.maxReclaimed();

  private Limits() {}

  static LedgerLimits with(Consumer<Limits> change) {
    final Limits limits = new Limits();
    change.accept(limits);
    return new LedgerLimits(
        limits.maxTtlNanos,
        limits.graceNanos,
        limits.maxActiveLeases,
        limits.settledKept,
        limits.lossKept,
        limits.stragglerHorizonNanos,
        LedgerLimits.DEFAULTS.requestIdHorizonNanos(),
        LedgerLimits.DEFAULTS.requestIdAheadNanos(),
        limits.maxReclaimed,
        LedgerLimits.DEFAULTS.recallNanos());
  }
}
