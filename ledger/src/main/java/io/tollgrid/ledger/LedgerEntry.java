package io.tollgrid.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the grid keeps per account: the ledger, the ownership fence it was loaded under, and notes
 * beside it.
 *
 * @param ledger the ledger; null only in the check of an account that does not exist, which is
 *     never kept
 * @param ownershipFence the fence its partition's owner held before it read the ledger
 * @param recall who needs units held elsewhere, or null; memory only
 * @param decisions what the store is about to be asked, each made on the ledger that the one before
 *     it left; empty once it has answered; memory only
 */
public record LedgerEntry(
    @Nullable AccountLedger ledger,
    long ownershipFence,
    @Nullable Recall recall,
    List<Decision> decisions) {
  /** Copies the decisions. */
  public LedgerEntry {
    decisions = List.copyOf(decisions);
  }

  /** An entry as read from the store. */
  public static LedgerEntry loaded(AccountLedger ledger, long ownershipFence) {
    return new LedgerEntry(ledger, ownershipFence, null, List.of());
  }
}
