/**
 * What reaches a member through its port: which connections are kept, how large a message may be
 * and what a client may ask for, all decided before anything a client sent is deserialized.
 *
 * <p>Runs on the grid's I/O threads, so nothing here waits. It uses classes of Hazelcast 5.3.8 that
 * are not its public interface (docs/decisions/0011).
 */
@NullMarked
package io.tollgrid.grid.wire;

import org.jspecify.annotations.NullMarked;
