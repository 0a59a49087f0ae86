/**
 * The group committer: lock, check, write, in one transaction per batch (architecture §3.3).
 *
 * <p>A {@link io.tollgrid.mapstore.commit.GroupCommitter} is shared by all threads that store; each
 * of its lanes is one thread with one connection, and everything else here is confined to a lane.
 */
@NullMarked
package io.tollgrid.mapstore.commit;

import org.jspecify.annotations.NullMarked;
