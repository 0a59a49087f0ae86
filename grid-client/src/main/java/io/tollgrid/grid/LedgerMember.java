package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.ledger.LedgerFunction;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.port.DenialRecords;
import io.tollgrid.ledger.port.HeldFences;
import io.tollgrid.ledger.port.Introductions;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.ledger.port.LedgerRows;
import io.tollgrid.ledger.port.PolicyReads;

/**
 * What a data member offers to commands that run on it.
 *
 * @param ledger what a command does to a ledger
 * @param fences the ownership fences it holds
 * @param rows rows outside the entries
 * @param policies policies at rest
 * @param introductions where subjects are introduced
 * @param denials where denials are kept
 * @param clock its clock
 * @param limits the bounds its ledgers keep
 * @param verifier who may give operator commands
 */
public record LedgerMember(
    LedgerFunction ledger,
    HeldFences fences,
    LedgerRows rows,
    PolicyReads policies,
    Introductions introductions,
    DenialRecords denials,
    LedgerClock clock,
    LedgerLimits limits,
    CommandVerifier verifier) {
  /** Where a member keeps it in its user context. */
  public static final String CONTEXT_KEY = "tollgrid.ledger-member";

  /** The services of the member a command runs on. */
  static LedgerMember of(HazelcastInstance member) {
    final Object services = member.getUserContext().get(CONTEXT_KEY);
    if (services instanceof LedgerMember ledgerMember) {
      return ledgerMember;
    }
    throw new IllegalStateException(
        "member " + member.getName() + " owns ledgers but was not started as a ledger member");
  }
}
