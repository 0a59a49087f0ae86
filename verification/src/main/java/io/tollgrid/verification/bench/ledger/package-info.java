/**
 * Durable ledger commands per second: the grid with its group committer against the same rows
 * written by SQL calls of one round trip each, on the same PostgreSQL in the same minutes.
 */
@NullMarked
package io.tollgrid.verification.bench.ledger;

import org.jspecify.annotations.NullMarked;
