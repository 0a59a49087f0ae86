package io.tollgrid.verification.house.sample.node;

import com.hazelcast.cp.IAtomicLong;

/** Breaks the privacy of CP. */
record NodeThatTouchesCp(IAtomicLong fence) {}
