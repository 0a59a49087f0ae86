/**
 * Ownership fences at rest: the barrier between an owner's last write and its successor's first
 * (architecture §3.4).
 */
@NullMarked
package io.tollgrid.mapstore.fence;

import org.jspecify.annotations.NullMarked;
