/** Tests of what the runs of a nemesis come to. */
@NullMarked
package io.tollgrid.verification.faults.nemesis;

import org.jspecify.annotations.NullMarked;
