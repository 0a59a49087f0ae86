package io.tollgrid.ledger;

/** What a store holds under a {@link RowKey}, compared whole when an answer rests on it. */
public sealed interface StoredRow {
  /**
   * A lease.
   *
   * @param lease its terms
   */
  record LeaseRow(Lease lease) implements StoredRow {}

  /**
   * An operator command that took effect.
   *
   * @param bodyHash identity of its body
   * @param outcome what was answered
   */
  record CommandRow(Id128 bodyHash, Outcome.Applied outcome) implements StoredRow {}

  /**
   * An accepted usage part.
   *
   * @param verdict its first classification
   * @param units its units
   * @param writer the writer whose delivery was accepted
   * @param sequence its number there
   * @param creditedUnits what credits have given back of it so far
   */
  record UsageRow(UsageVerdict verdict, long units, Id128 writer, long sequence, long creditedUnits)
      implements StoredRow {
    /** Refuses what no accepted part can be: it is corruption (R7). */
    public UsageRow {
      if (verdict.kind() != UsageVerdict.Kind.ACCEPTED
          || creditedUnits < 0
          || creditedUnits > units
          || (verdict == UsageVerdict.UNFUNDED && creditedUnits > 0)) {
        throw new CorruptLedgerException(
            "an accepted part cannot be "
                + verdict
                + " with "
                + units
                + " units, "
                + creditedUnits
                + " of them credited");
      }
    }
  }

  /**
   * A rejected delivery.
   *
   * @param verdict why
   */
  record RejectedRow(UsageVerdict verdict) implements StoredRow {
    /** Refuses a delivery that was not rejected: it is corruption (R7). */
    public RejectedRow {
      if (verdict.kind() != UsageVerdict.Kind.REJECTED) {
        throw new CorruptLedgerException("a rejected delivery cannot be " + verdict);
      }
    }
  }
}
