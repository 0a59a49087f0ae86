/**
 * How rows travel to and from PostgreSQL: columns as binary array parameters, several statements in
 * one round trip, SQL states by what they mean. Nothing here knows a table.
 *
 * <p>Instances are confined to the connection, and so to the thread, they are used with.
 */
@NullMarked
package io.tollgrid.mapstore.sql;

import org.jspecify.annotations.NullMarked;
