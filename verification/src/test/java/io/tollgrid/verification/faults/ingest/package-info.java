/** Tests of the oracle of usage events, and of each way in which a run can be found wrong. */
@NullMarked
package io.tollgrid.verification.faults.ingest;

import org.jspecify.annotations.NullMarked;
