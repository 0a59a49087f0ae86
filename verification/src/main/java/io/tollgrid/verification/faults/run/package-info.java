/**
 * The processes of a run and the run itself: members that own ledgers, clients that load them, the
 * PostgreSQL server below, and the parent that breaks them by a schedule.
 *
 * <p>{@link io.tollgrid.verification.faults.run.FaultNode} and {@link
 * io.tollgrid.verification.faults.run.LoadClient} are main classes of children; everything else
 * lives in the parent.
 */
@NullMarked
package io.tollgrid.verification.faults.run;

import org.jspecify.annotations.NullMarked;
