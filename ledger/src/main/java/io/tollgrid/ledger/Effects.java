package io.tollgrid.ledger;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a store must make durable, or confirm, before an answer may leave the owner.
 *
 * <p>A <em>write</em> carries rows; a <em>check</em> carries none and is still taken to the store,
 * because memory can be older than the authority under the very same ownership fence. Both name
 * what they rest on: the version they were decided at, the ids that must not exist, the rows that
 * must read as they did.
 *
 * @param request what was asked
 * @param outcome what was answered
 * @param baseVersion the version the decision was made at, 0 for "no such account"
 * @param ledgerTimeNanos when, by the processing member's clock (R57)
 * @param writes whether the ledger moves to {@code baseVersion + 1}
 * @param inserted leases granted
 * @param updated leases that changed, resident or not
 * @param funding units added to the balance
 * @param commandRow the operator command's own row, if the command has one
 * @param usage accepted events
 * @param rejected rejected events, which are kept
 * @param credit the usage part a credit corrects, or null
 * @param absent rows that must not exist
 * @param present rows that must exist and be equal
 */
public record Effects(
    LedgerRequest request,
    Outcome outcome,
    long baseVersion,
    long ledgerTimeNanos,
    boolean writes,
    List<Lease> inserted,
    List<Lease> updated,
    List<FundingEntry> funding,
    StoredRow.@Nullable CommandRow commandRow,
    List<UsageEntry> usage,
    List<UsageEntry> rejected,
    @Nullable CreditEntry credit,
    Set<RowKey> absent,
    Map<RowKey, StoredRow> present) {

  /** Copies the collections. */
  public Effects {
    inserted = List.copyOf(inserted);
    updated = List.copyOf(updated);
    funding = List.copyOf(funding);
    usage = List.copyOf(usage);
    rejected = List.copyOf(rejected);
    absent = Set.copyOf(absent);
    present = Map.copyOf(present);
  }

  /** A check: nothing is written, everything the answer rests on is confirmed. */
  static Effects check(
      LedgerRequest request,
      Outcome outcome,
      long baseVersion,
      long ledgerTimeNanos,
      Set<RowKey> absent,
      Map<RowKey, StoredRow> present) {
    return new Effects(
        request,
        outcome,
        baseVersion,
        ledgerTimeNanos,
        false,
        List.of(),
        List.of(),
        List.of(),
        null,
        List.of(),
        List.of(),
        null,
        absent,
        present);
  }

  /**
   * Whether it leaves rejected events and no ledger: those of an account that does not exist are
   * kept all the same (R20).
   */
  public boolean onlyKeeps() {
    return !writes && !rejected.isEmpty();
  }

  /** The version after the transition. */
  public long nextVersion() {
    return writes ? baseVersion + 1 : baseVersion;
  }

  /**
   * Units added to a balance; all of an account's entries sum to its {@code deposited}.
   *
   * @param source where they come from
   * @param units how many, 1 or more
   */
  public record FundingEntry(Source source, long units) {
    /** Where units come from. The order of the constants is stored; append only. */
    public enum Source {
      /** A deposit command. */
      TOP_UP,
      /** A period's allowance. */
      ALLOWANCE,
      /** A credit command. */
      CREDIT
    }
  }

  /**
   * One classified event.
   *
   * @param event the event
   * @param verdict its classification
   * @param periodNumber the budget period it belongs to
   */
  public record UsageEntry(UsageEvent event, UsageVerdict verdict, long periodNumber) {}

  /**
   * The correction of a billed part.
   *
   * @param commandId the credit's id
   * @param requestId the original request
   * @param part the original part
   * @param units units given back
   */
  public record CreditEntry(Id128 commandId, Id128 requestId, int part, long units) {}
}
