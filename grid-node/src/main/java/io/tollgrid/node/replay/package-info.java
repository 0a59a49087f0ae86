/**
 * Replays a recorded hour of LLM requests through the real path: which account a row belongs to,
 * what it asks and costs, and the sum of what became of it. A trace is read twice, checked first
 * and replayed then, and never held in memory.
 */
@NullMarked
package io.tollgrid.node.replay;

import org.jspecify.annotations.NullMarked;
