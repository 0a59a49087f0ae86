package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;

/**
 * Who wrote a transition.
 *
 * @param account whose
 * @param version which
 * @param owner the process, as it calls itself at PostgreSQL
 * @param raises every raise of its partition's fence up to this {@link FenceRaise#sequence()} was
 *     there before it, and none beyond
 * @param isUnknown it is durable and nobody was told, on purpose: its owner cannot know
 */
public record Written(Id128 account, long version, String owner, long raises, boolean isUnknown) {}
