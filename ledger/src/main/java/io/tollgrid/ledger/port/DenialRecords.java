package io.tollgrid.ledger.port;

import io.tollgrid.ledger.DenialReport;

/** Where denials are kept. Blocks; never called from a partition thread. */
@FunctionalInterface
public interface DenialRecords {
  /**
   * Keeps a report; again changes nothing.
   *
   * @throws LedgerCodeException {@code UNAVAILABLE} if it may not be kept, and may be all the same
   */
  void keep(DenialReport report);
}
