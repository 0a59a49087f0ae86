package io.tollgrid.verification.faults.ingest;

import io.tollgrid.ledger.Id128;

/**
 * One row about an event, as it is stored.
 *
 * @param verdict its place among {@link io.tollgrid.ledger.UsageVerdict}'s constants
 */
record StoredUsage(
    Id128 account,
    Id128 requestId,
    int part,
    Id128 writer,
    long sequence,
    int verdict,
    long units) {

  @Override
  public String toString() {
    return requestId
        + "/"
        + part
        + " of "
        + units
        + " units by "
        + writer
        + "/"
        + sequence
        + " with verdict "
        + verdict;
  }
}
