/** Tests. */
@NullMarked
package io.tollgrid.admission.outcome;

import org.jspecify.annotations.NullMarked;
