/**
 * Work that a node does by itself: each kind in one thread, pass after pass, every pass bounded, no
 * failure silent, and a thread that died noticed before anything else (R39, R40).
 */
@NullMarked
package io.tollgrid.node.background;

import org.jspecify.annotations.NullMarked;
