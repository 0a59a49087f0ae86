package io.tollgrid.verification.house.sample.grid;

import io.tollgrid.verification.house.sample.client.Client;

/** Breaks the order inside grid-client. */
record ProtocolThatKnowsAClient(Client client) {}
