/** Tests of the recorder. */
@NullMarked
package io.tollgrid.verification.faults.history;

import org.jspecify.annotations.NullMarked;
