/**
 * Child processes of a run: started with this JVM's class path and flags, signalled by process id,
 * gone when the run is.
 */
@NullMarked
package io.tollgrid.verification.faults.process;

import org.jspecify.annotations.NullMarked;
