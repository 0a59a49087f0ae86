package io.tollgrid.verification.house.sample.ledger;

import com.hazelcast.core.HazelcastInstance;

/** Breaks the purity of the ledger. */
record LedgerThatUsesALibrary(HazelcastInstance grid) {}
