/** Tests. */
@NullMarked
package io.tollgrid.admission.concurrency;

import org.jspecify.annotations.NullMarked;
