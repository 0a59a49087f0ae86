package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.LedgerRequest;

/**
 * One attempt on its way to an owner.
 *
 * @param call the command it belongs to
 * @param attempt its number there, from 1
 * @param request what is asked, with the rows this attempt carries
 * @param evictFirst whether the owner's entry is to be dropped first
 */
record Request(LedgerCall call, int attempt, LedgerRequest request, boolean evictFirst) {}
