/** Tests of the load, against a ledger in memory. */
@NullMarked
package io.tollgrid.verification.faults.load;

import org.jspecify.annotations.NullMarked;
