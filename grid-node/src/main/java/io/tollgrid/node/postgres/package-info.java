/**
 * The embedded PostgreSQL: one server, owned by one process, with every durable setting on.
 *
 * <p>A data directory holds {@code postgres/} (the server's own files), {@code postgres.password},
 * {@code postgres.log}, the operator's key and {@code tollgrid.lock}. Whoever holds the lock owns
 * the directory; a server found running in it then belongs to a process that died.
 */
@NullMarked
package io.tollgrid.node.postgres;

import org.jspecify.annotations.NullMarked;
