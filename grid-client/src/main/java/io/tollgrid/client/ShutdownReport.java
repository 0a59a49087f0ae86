package io.tollgrid.client;

/**
 * What an instance left behind (R22, R35, R41). All zero after a clean shutdown.
 *
 * @param abandonedRequests requests that nobody had ended; released, or charged as reserved
 * @param lostEvents usage events that were never sent
 * @param lostUnits their units
 * @param unresolvedEvents usage events that were sent and not answered: they may be recorded
 * @param unresolvedUnits their units
 * @param refusedEvents usage events that no ledger will record
 * @param refusedUnits their units: spend nobody paid for
 * @param abandonedLeases leases that were not released; the ledger reclaims them
 * @param abandonedUnits units on those that are forfeited unless their usage still arrives
 * @param uncertainCommands lease commands whose outcome is unknown
 * @param forfeitedUnits units lost in the instance's lifetime to leases that ended unreleased
 */
public record ShutdownReport(
    long abandonedRequests,
    long lostEvents,
    long lostUnits,
    long unresolvedEvents,
    long unresolvedUnits,
    long refusedEvents,
    long refusedUnits,
    long abandonedLeases,
    long abandonedUnits,
    long uncertainCommands,
    long forfeitedUnits) {

  /** Whether nothing was left behind. */
  public boolean isClean() {
    return abandonedRequests == 0
        && lostEvents == 0
        && unresolvedEvents == 0
        && refusedEvents == 0
        && abandonedLeases == 0
        && uncertainCommands == 0
        && forfeitedUnits == 0;
  }
}
