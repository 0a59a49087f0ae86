package io.tollgrid.grid;

import io.tollgrid.ledger.DenialReport;

/** Has a data member keep denials; the answer is empty. */
final class KeepDenials extends MemberTask {
  private static final byte[] KEPT = {};

  private final DenialReport report;

  KeepDenials(DenialReport report) {
    this.report = report;
  }

  DenialReport report() {
    return report;
  }

  @Override
  byte[] on(LedgerMember services) {
    services.denials().keep(report);
    return KEPT;
  }
}
