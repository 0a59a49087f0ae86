/**
 * The request path: one reusable object per worker that reserves, starts, extends and settles, and
 * the slots in which what was settled waits for its durable record.
 *
 * <p>Who may touch a slot follows from its phase word. Until it is pending it belongs to the thread
 * that took it. While it is pending or started, whoever moves the word by compare-and-set owns what
 * the move entails. Once settled it belongs to the queue's one consumer until it is acknowledged.
 * Nothing here blocks, reads a clock or, in steady state, allocates (R26, R27).
 */
@NullMarked
package io.tollgrid.admission.request;

import org.jspecify.annotations.NullMarked;
