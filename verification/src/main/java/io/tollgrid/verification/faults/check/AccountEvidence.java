package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;
import io.tollgrid.verification.faults.history.Operation;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one account when a run is over.
 *
 * @param account the account
 * @param operations everything that was asked of it, by any client
 * @param journal its journal, by version
 * @param stored its rows, or null if PostgreSQL has no such account
 */
public record AccountEvidence(
    Id128 account,
    List<Operation> operations,
    List<JournalRow> journal,
    @Nullable StoredAccount stored) {
  /** Orders the journal and copies the lists. */
  public AccountEvidence {
    operations = List.copyOf(operations);
    journal = journal.stream().sorted(Comparator.comparingLong(JournalRow::version)).toList();
  }

  AccountEvidence withOperations(List<Operation> others) {
    return new AccountEvidence(account, others, journal, stored);
  }

  AccountEvidence withJournal(List<JournalRow> other) {
    return new AccountEvidence(account, operations, other, stored);
  }

  AccountEvidence withStored(@Nullable StoredAccount other) {
    return new AccountEvidence(account, operations, journal, other);
  }
}
