/**
 * Connections: where PostgreSQL is, the pools of each kind of work, and what their sessions are set
 * to.
 */
@NullMarked
package io.tollgrid.mapstore.database;

import org.jspecify.annotations.NullMarked;
