package io.tollgrid.verification.house.sample.node.fence;

import com.hazelcast.cp.IAtomicLong;

/** Touches CP, as it may. */
record Draws(IAtomicLong fence) {}
