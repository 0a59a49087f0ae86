/**
 * Usage between its writers and the ledgers (R20, R22): the inbox in which a writer leaves its
 * events until every one of them has its one, final classification, and the recorder that takes
 * them to the ledgers of their accounts. The protocol is specified in {@code UsageIngest.tla}.
 *
 * <p>A writer is known by 128 random bits for each start of its process; it numbers its events and
 * its batches. A batch that is left again is the one that is there; whatever gets lost of the inbox
 * is left again by its writer, for the ledgers tell the same delivery the same.
 */
@NullMarked
package io.tollgrid.grid.usage;

import org.jspecify.annotations.NullMarked;
