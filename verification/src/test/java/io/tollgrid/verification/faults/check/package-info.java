/** Tests of the checker: honest evidence passes, every falsified piece of it is found. */
@NullMarked
package io.tollgrid.verification.faults.check;

import org.jspecify.annotations.NullMarked;
