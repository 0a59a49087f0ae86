/**
 * What work costs and who may ask for it: plans, their operations and prices, and the compiled form
 * in which requests read them.
 *
 * <p>Everything here is immutable but the {@link io.tollgrid.admission.plan.Catalogue}, which only
 * ever grows, and the {@link io.tollgrid.admission.plan.PublishedPlan}, which is one reference.
 * Reading allocates nothing.
 */
@NullMarked
package io.tollgrid.admission.plan;

import org.jspecify.annotations.NullMarked;
