/**
 * Benchmarks against peers: both sides of a ratio are measured in the same run, alternating.
 * Nothing here gates a test.
 */
@NullMarked
package io.tollgrid.verification.bench;

import org.jspecify.annotations.NullMarked;
