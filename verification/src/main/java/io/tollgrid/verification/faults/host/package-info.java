/**
 * Where the processes of a run live: on this machine, or each on a host of a network of its own.
 */
@NullMarked
package io.tollgrid.verification.faults.host;

import org.jspecify.annotations.NullMarked;
