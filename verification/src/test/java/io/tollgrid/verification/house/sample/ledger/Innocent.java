package io.tollgrid.verification.house.sample.ledger;

/** Breaks nothing. */
public record Innocent(long units) {}
