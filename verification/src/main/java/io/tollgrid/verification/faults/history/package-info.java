/**
 * The recorder: what was asked of the grid and what was answered, in files outside it.
 *
 * <p>A record is in the file before the command it announces is sent, and before anyone acts on the
 * answer it holds, so a killed process loses nothing that happened. Files are append-only; a file
 * whose writer was killed may end in half a record, which a reader leaves out.
 */
@NullMarked
package io.tollgrid.verification.faults.history;

import org.jspecify.annotations.NullMarked;
