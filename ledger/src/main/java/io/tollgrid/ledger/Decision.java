package io.tollgrid.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What {@link Ledger#apply} made of a request.
 *
 * @param outcome the answer; it must not leave the owner before the store has accepted {@code
 *     effects}
 * @param next the ledger afterwards: the same instance for a check, null for an account that does
 *     not exist
 * @param effects what the store must write or confirm; null only for {@link Outcome.NeedsRows} and
 *     {@link Outcome.Outdated}, which are no final answers
 * @param unmetDemandUnits the quote that remains unfunded though other holders' units could fund
 *     it, 0 for none (R2)
 */
public record Decision(
    Outcome outcome,
    @Nullable AccountLedger next,
    @Nullable Effects effects,
    long unmetDemandUnits) {}
