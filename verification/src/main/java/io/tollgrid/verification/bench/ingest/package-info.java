/**
 * P7: usage events per second from a writer to their durable classification, against COPY of the
 * very rows they became, on the same PostgreSQL in the same minutes.
 */
@NullMarked
package io.tollgrid.verification.bench.ingest;

import org.jspecify.annotations.NullMarked;
