package io.tollgrid.ledger;

/**
 * A usage event on its way to the ledger it is for.
 *
 * @param account whose ledger
 * @param event the event, with the writer and the number of this delivery
 */
public record UsageDelivery(Id128 account, UsageEvent event) {}
