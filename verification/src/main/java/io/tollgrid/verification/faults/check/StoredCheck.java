package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what PostgreSQL holds of an account with what its replayed journal adds up to. */
final class StoredCheck {
  private final Findings findings;

  StoredCheck(Findings findings) {
    this.findings = findings;
  }

  void compare(ReplayedAccount replay, @Nullable StoredAccount stored) {
    final AccountLedger ledger = replay.ledger();
    if (ledger == null || stored == null) {
      if (ledger != null || stored != null) {
        differs(
            ledger == null ? "no account, for it has no journal" : "version " + ledger.version(),
            stored == null ? "no account" : "version " + stored.version());
      }
      return;
    }
    same("version", ledger.version(), stored.version());
    same("ledger time of the last change", ledger.asOfNanos(), stored.asOfNanos());
    same("status", ledger.policy().status(), stored.status());
    same("period end", ledger.period().endNanos(), stored.periodEndNanos());
    final AccountNumbers numbers = AccountNumbers.of(ledger);
    final Map<String, Long> unlike = stored.numbers().unlike(numbers);
    if (!unlike.isEmpty()) {
      differs(numbers.unlike(stored.numbers()).toString(), unlike.toString());
    }
    sameRows(replay.rows(), stored.rows());
  }

  private void sameRows(Map<RowKey, StoredRow> replayed, Map<RowKey, StoredRow> stored) {
    final Set<RowKey> keys = new HashSet<>(replayed.keySet());
    keys.addAll(stored.keySet());
    for (final RowKey key : keys) {
      final StoredRow expected = replayed.get(key);
      final StoredRow found = stored.get(key);
      if (!Objects.equals(expected, found)) {
        differs(key + " → " + expected, String.valueOf(found));
      }
    }
  }

  private void same(String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      differs(what + " " + expected, found.toString());
    }
  }

  private void differs(String expected, String found) {
    findings.add(Violation.Kind.STORE_DIFFERS, null, expected, found);
  }
}
