/**
 * How many callers become one batch: a bounded line in which callers wait, and lanes that take
 * everything that waits at once.
 *
 * <p>Callers block; a lane is one thread. All state of a line is guarded by its lock, except an
 * answer, which is published to exactly one waiting caller.
 */
@NullMarked
package io.tollgrid.mapstore.lane;

import org.jspecify.annotations.NullMarked;
