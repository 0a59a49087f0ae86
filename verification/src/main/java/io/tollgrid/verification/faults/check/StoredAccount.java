package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import java.util.Map;

/**
 * Everything PostgreSQL holds of one account beside its journal.
 *
 * @param account the account
 * @param version its version
 * @param asOfNanos ledger time of its last change
 * @param numbers its numbers
 * @param status its status
 * @param periodEndNanos its stored boundary
 * @param rows every row of it that an answer may rest on
 * @param fundedUnits the sum of its deposit rows
 */
public record StoredAccount(
    Id128 account,
    long version,
    long asOfNanos,
    AccountNumbers numbers,
    AccountStatus status,
    long periodEndNanos,
    Map<RowKey, StoredRow> rows,
    long fundedUnits) {
  /** Copies the rows. */
  public StoredAccount {
    rows = Map.copyOf(rows);
  }
}
