/** Tests. */
@NullMarked
package io.tollgrid.admission.denial;

import org.jspecify.annotations.NullMarked;
