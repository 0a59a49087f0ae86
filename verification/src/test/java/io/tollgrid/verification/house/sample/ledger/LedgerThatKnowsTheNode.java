package io.tollgrid.verification.house.sample.ledger;

import io.tollgrid.verification.house.sample.node.Node;

/** Breaks the arrow from node to ledger. */
record LedgerThatKnowsTheNode(Node node) {}
