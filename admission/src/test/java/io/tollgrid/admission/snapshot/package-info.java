/** Tests. */
@NullMarked
package io.tollgrid.admission.snapshot;

import org.jspecify.annotations.NullMarked;
