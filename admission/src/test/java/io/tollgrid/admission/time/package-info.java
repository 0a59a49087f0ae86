/** Tests of the coarse clock. */
@NullMarked
package io.tollgrid.admission.time;

import org.jspecify.annotations.NullMarked;
