package io.tollgrid.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What the grid keeps per account: the ledger, the ownership fence it was loaded under, and notes
 * beside it.
 *
 * @param ledger the ledger; null only in the check of an account that does not exist, which is
 *     never kept
 * @param ownershipFence the fence its partition's owner held before it read the ledger
 * @param recall who needs units held elsewhere, or null; memory only
 * @param effects what the store is about to be asked; null once it has answered; memory only
 */
public record LedgerEntry(
    @Nullable AccountLedger ledger,
    long ownershipFence,
    @Nullable Recall recall,
    @Nullable Effects effects) {
  /** An entry as read from the store. */
  public static LedgerEntry loaded(AccountLedger ledger, long ownershipFence) {
    return new LedgerEntry(ledger, ownershipFence, null, null);
  }
}
