package io.tollgrid.ledger;

/**
 * A note beside a ledger that someone needs units which others hold (R2).
 *
 * <p>It is a hint: kept in memory only, lost with the entry, and asked again at every backstop.
 *
 * @param units the largest unmet quote
 * @param holder who asked, so that its own refill does not answer it
 * @param expiresAtNanos when the note means nothing any more, epoch nanoseconds
 */
public record Recall(long units, Id128 holder, long expiresAtNanos) {}
