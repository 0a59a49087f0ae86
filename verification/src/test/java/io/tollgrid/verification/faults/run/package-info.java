/** The one-minute form of the fault harness, with real processes. */
@NullMarked
package io.tollgrid.verification.faults.run;

import org.jspecify.annotations.NullMarked;
