/**
 * Usage that was recorded elsewhere, read from lines of JSON and shipped to the ledgers (R20).
 *
 * <p>It is part of the node because it needs a node's grid, a node's PostgreSQL and a parser of
 * JSON, which services that embed the client must not inherit. The command line and the HTTP plane
 * share it.
 */
@NullMarked
package io.tollgrid.node.usage;

import org.jspecify.annotations.NullMarked;
