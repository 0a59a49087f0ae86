/**
 * The server: configuration, member bootstrap, ownership fences, embedded PostgreSQL, probes and
 * the command line.
 */
@NullMarked
package io.tollgrid.node;

import org.jspecify.annotations.NullMarked;
