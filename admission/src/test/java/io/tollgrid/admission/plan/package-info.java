/** Tests. */
@NullMarked
package io.tollgrid.admission.plan;

import org.jspecify.annotations.NullMarked;
