/** Tests of the process runner, with real processes. */
@NullMarked
package io.tollgrid.verification.faults.process;

import org.jspecify.annotations.NullMarked;
