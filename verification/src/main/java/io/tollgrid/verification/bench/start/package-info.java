/** P10: how long a system takes from nothing to ready. */
@NullMarked
package io.tollgrid.verification.bench.start;

import org.jspecify.annotations.NullMarked;
