/** The soak: a system at half its capacity for half an hour, and whether anything of it grows. */
@NullMarked
package io.tollgrid.verification.faults.soak;

import org.jspecify.annotations.NullMarked;
