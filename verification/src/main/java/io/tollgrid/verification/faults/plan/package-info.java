/** What will go wrong in a run and when, drawn from a seed before it starts. */
@NullMarked
package io.tollgrid.verification.faults.plan;

import org.jspecify.annotations.NullMarked;
