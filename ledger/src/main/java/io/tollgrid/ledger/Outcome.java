package io.tollgrid.ledger;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a ledger answers to a command. */
public sealed interface Outcome {

  /** The command took effect, now or when it was first received (R16). */
  sealed interface Applied extends Outcome {}

  /**
   * A lease was granted, by acquire or consolidate.
   *
   * @param leaseId the lease
   * @param fence its fence
   * @param units units granted
   * @param expiresAtNanos its first expiry, epoch nanoseconds
   * @param restoredUnits units a consolidation put back into the balance first; 0 when a retry is
   *     answered from the lease's row
   * @param evidence funding as of the grant; null when a retry is answered from the lease's row
   */
  record Granted(
      Id128 leaseId,
      long fence,
      long units,
      long expiresAtNanos,
      long restoredUnits,
      @Nullable Evidence evidence)
      implements Applied {}

  /**
   * A step was taken on a lease.
   *
   * @param leaseId the lease
   * @param receipt the step with its numbers
   */
  record Stepped(Id128 leaseId, LeaseStep receipt) implements Applied {}

  /**
   * Events were classified.
   *
   * @param verdicts one per event, in the command's order
   */
  record UsageRecorded(List<UsageVerdict> verdicts) implements Applied {
    /** Copies the list. */
    public UsageRecorded {
      verdicts = List.copyOf(verdicts);
    }
  }

  /**
   * Units were added to the top-up.
   *
   * @param units how many
   * @param version the ledger version they are in
   */
  record Funded(long units, long version) implements Applied {}

  /**
   * The account policy or the schedule changed, or the account was created.
   *
   * @param policyGeneration the policy's generation afterwards
   * @param version the ledger version the change is in
   */
  record Changed(long policyGeneration, long version) implements Applied {}

  /**
   * Due leases were written off.
   *
   * @param leases how many
   * @param lossUnits units that became provisional loss
   * @param saturated whether more are due than one command may take
   */
  record Reclaimed(int leases, long lossUnits, boolean saturated) implements Applied {}

  /**
   * A boundary was crossed.
   *
   * @param periodNumber the period afterwards
   * @param version the ledger version the crossing is in
   */
  record Crossed(long periodNumber, long version) implements Applied {}

  /**
   * Nothing was done.
   *
   * @param reason why
   * @param evidence funding, for the two balance refusals
   */
  record Refused(Refusal reason, @Nullable Evidence evidence) implements Outcome {
    static Refused because(Refusal reason) {
      return new Refused(reason, null);
    }
  }

  /**
   * The decision needs rows that are not in the entry: fetch them and ask again with them attached.
   *
   * @param keys the rows
   */
  record NeedsRows(Set<RowKey> keys) implements Outcome {
    /** Copies the set. */
    public NeedsRows {
      keys = Set.copyOf(keys);
    }
  }

  /**
   * Memory and an attached row contradict each other: one of them is old. Evict the one, drop the
   * other, and ask again.
   */
  record Outdated() implements Outcome {}
}
