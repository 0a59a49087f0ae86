/**
 * A whole system in one process, for commands that need one and were not told of any: a node with
 * an embedded PostgreSQL on free loopback ports, thrown away afterwards unless it was given a
 * directory to keep.
 */
@NullMarked
package io.tollgrid.node.local;

import org.jspecify.annotations.NullMarked;
