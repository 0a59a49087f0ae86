/**
 * The breaks that were seen on the way to the design, each as a test that is run twice: with its
 * cure it passes, with the cure switched off the break is seen.
 *
 * <p>Everything is real (Hazelcast members, PostgreSQL, map store, committer, processor, client)
 * except the keeper of ownership fences: {@link
 * io.tollgrid.verification.faults.regression.PlainFences} never gives a fence up by itself, so that
 * one cure cannot hide behind another.
 */
@NullMarked
package io.tollgrid.verification.faults.regression;

import org.jspecify.annotations.NullMarked;
