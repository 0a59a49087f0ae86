/**
 * Jet jobs beside the ledgers, the supervisor that keeps them running, and the alarms that say when
 * they do not.
 *
 * <p>A job is a graph of names ({@link io.tollgrid.grid.MemberStage}); what a stage does on a
 * member is in its {@link io.tollgrid.pipelines.Pipelines}. Jobs keep no state of their own:
 * whatever one does is decided by the ledgers and can be done twice, so it may end anywhere and
 * begin anew. Everything public is safe to use from any thread.
 */
@NullMarked
package io.tollgrid.pipelines;

import org.jspecify.annotations.NullMarked;
