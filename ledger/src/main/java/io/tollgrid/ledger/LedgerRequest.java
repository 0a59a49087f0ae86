package io.tollgrid.ledger;

import java.util.Map;
import java.util.Optional;

/**
 * A command, addressed: which account, who asks, and until when it may act.
 *
 * @param account the ledger it is for
 * @param actor who asks, for the journal; at most {@value #MAX_ACTOR_CHARS} characters
 * @param notAfterNanos ledger time after which it no longer acts, so that an old attempt cannot act
 *     late (R16)
 * @param command what is asked
 * @param rows rows the owner fetched for it; an empty value says the row does not exist. Compared
 *     under lock before any answer that rests on them leaves
 */
public record LedgerRequest(
    Id128 account,
    String actor,
    long notAfterNanos,
    LedgerCommand command,
    Map<RowKey, Optional<StoredRow>> rows) {
  /** The longest name an actor may have. */
  public static final int MAX_ACTOR_CHARS = 128;

  /** Refuses an overlong or unprintable actor, and a row under another row's key. */
  public LedgerRequest {
    rows = Map.copyOf(rows);
    if (actor.length() > MAX_ACTOR_CHARS || !PlainText.isPlain(actor)) {
      throw new IllegalArgumentException(
          "an actor has at most "
              + MAX_ACTOR_CHARS
              + " characters, none of them a control character, not "
              + actor.length());
    }
    rows.forEach(LedgerRequest::requireFits);
  }

  /** A request without attached rows. */
  public LedgerRequest(Id128 account, String actor, long notAfterNanos, LedgerCommand command) {
    this(account, actor, notAfterNanos, command, Map.of());
  }

  /** The same request with these rows attached instead. */
  public LedgerRequest withRows(Map<RowKey, Optional<StoredRow>> fetched) {
    return new LedgerRequest(account, actor, notAfterNanos, command, fetched);
  }

  private static void requireFits(RowKey key, Optional<StoredRow> row) {
    if (row.isPresent() && !fits(key, row.get())) {
      throw new IllegalArgumentException("no row like " + row.get() + " can be under " + key);
    }
  }

  private static boolean fits(RowKey key, StoredRow row) {
    if (key instanceof RowKey.LeaseKey leaseKey) {
      return row instanceof StoredRow.LeaseRow leaseRow
          && leaseRow.lease().id().equals(leaseKey.leaseId());
    }
    if (key instanceof RowKey.CommandKey) {
      return row instanceof StoredRow.CommandRow;
    }
    return key instanceof RowKey.UsageKey
        ? row instanceof StoredRow.UsageRow
        : row instanceof StoredRow.RejectedRow;
  }
}
