/** Tests. */
@NullMarked
package io.tollgrid.admission.lease;

import org.jspecify.annotations.NullMarked;
