/** What is due: the bounded, oldest-first queries that sweeps of leases and periods start from. */
@NullMarked
package io.tollgrid.mapstore.sweep;

import org.jspecify.annotations.NullMarked;
