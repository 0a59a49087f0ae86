/** Tests. */
@NullMarked
package io.tollgrid.admission.rate;

import org.jspecify.annotations.NullMarked;
