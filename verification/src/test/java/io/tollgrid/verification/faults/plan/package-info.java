/** Tests of the drawing of faults. */
@NullMarked
package io.tollgrid.verification.faults.plan;

import org.jspecify.annotations.NullMarked;
