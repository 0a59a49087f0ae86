/** Tests. */
@NullMarked
package io.tollgrid.admission.request;

import org.jspecify.annotations.NullMarked;
