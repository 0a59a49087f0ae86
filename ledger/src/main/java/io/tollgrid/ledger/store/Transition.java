package io.tollgrid.ledger.store;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import org.jspecify.annotations.Nullable;

/**
 * One decision on its way to the store.
 *
 * @param account the account
 * @param partition the ledger partition it lives in
 * @param ownershipFence the fence the ledger was loaded under
 * @param next the ledger after it; null only when confirming that there is none
 * @param effects what to write or confirm
 */
public record Transition(
    Id128 account,
    int partition,
    long ownershipFence,
    @Nullable AccountLedger next,
    Effects effects) {}
