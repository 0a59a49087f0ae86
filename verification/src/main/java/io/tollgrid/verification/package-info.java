/**
 * Evidence about the whole: simulation, fault harness, benchmarks and checks over the tree. Never
 * shipped.
 */
@NullMarked
package io.tollgrid.verification;

import org.jspecify.annotations.NullMarked;
