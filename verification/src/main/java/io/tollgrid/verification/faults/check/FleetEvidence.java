package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;
import io.tollgrid.verification.faults.history.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything a run left behind, by account.
 *
 * @param accounts every account that was asked for or is stored
 * @param fences every change of an ownership fence at rest
 * @param writes who wrote each transition
 */
public record FleetEvidence(
    List<AccountEvidence> accounts, List<FenceRaise> fences, List<Written> writes) {
  /** Copies the lists. */
  public FleetEvidence {
    accounts = List.copyOf(accounts);
    fences = List.copyOf(fences);
    writes = List.copyOf(writes);
  }

  /** Sorts by account what was recorded and what is stored. */
  public static FleetEvidence of(
      Collection<Operation> history,
      Collection<JournalRow> journal,
      Collection<StoredAccount> stored,
      List<FenceRaise> fences,
      List<Written> writes) {
    final Map<Id128, List<Operation>> operations = new HashMap<>();
    history.forEach(
        operation ->
            operations
                .computeIfAbsent(operation.request().account(), a -> new ArrayList<>())
                .add(operation));
    final Map<Id128, List<JournalRow>> journals = new HashMap<>();
    journal.forEach(
        row -> journals.computeIfAbsent(row.account(), a -> new ArrayList<>()).add(row));
    final Map<Id128, StoredAccount> rows = new HashMap<>();
    stored.forEach(account -> rows.put(account.account(), account));
    final Set<Id128> ids = new HashSet<>(operations.keySet());
    ids.addAll(journals.keySet());
    ids.addAll(rows.keySet());
    return new FleetEvidence(
        ids.stream()
            .sorted()
            .map(
                id ->
                    new AccountEvidence(
                        id,
                        operations.getOrDefault(id, List.of()),
                        journals.getOrDefault(id, List.of()),
                        rows.get(id)))
            .toList(),
        fences,
        writes);
  }
}
