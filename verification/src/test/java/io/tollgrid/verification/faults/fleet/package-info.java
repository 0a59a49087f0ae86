/** Tests of the fleet's own checks. */
@NullMarked
package io.tollgrid.verification.faults.fleet;

import org.jspecify.annotations.NullMarked;
