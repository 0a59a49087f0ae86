/** Tests of the checks of the sweeps: each finds what it is there for. */
@NullMarked
package io.tollgrid.verification.faults.sweep;

import org.jspecify.annotations.NullMarked;
