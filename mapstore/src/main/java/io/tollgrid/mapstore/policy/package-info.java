/**
 * Plans, principal snapshots and assignments at rest: published under locks that order generations,
 * read from one consistent view.
 *
 * <p>Lock order: the assignments, then accounts by id, then the plan or principal. Account rows are
 * only read here, and locked so that the ledger cannot change them before the publication that
 * looked at them commits; the ledger is their only writer (R18). Everything blocks on PostgreSQL
 * and is thread-safe.
 */
@NullMarked
package io.tollgrid.mapstore.policy;

import org.jspecify.annotations.NullMarked;
