/** Tests of hosts and disks. */
@NullMarked
package io.tollgrid.verification.faults.host;

import org.jspecify.annotations.NullMarked;
