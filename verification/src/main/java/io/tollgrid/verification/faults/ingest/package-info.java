/**
 * Usage on its way from writers to the ledgers, event by event: writers that are killed, members
 * that are killed, PostgreSQL that is killed, acknowledgements that get lost, and a judge who knows
 * of every event what must become of it (R20, R22).
 *
 * <p>What every event is follows from a seed by arithmetic, so that writers, the lane and the judge
 * know it without a list. {@link io.tollgrid.verification.faults.ingest.UsageWriterProcess} is the
 * main class of a child; everything else lives in the parent.
 */
@NullMarked
package io.tollgrid.verification.faults.ingest;

import org.jspecify.annotations.NullMarked;
