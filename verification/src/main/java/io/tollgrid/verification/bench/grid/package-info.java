/** P4: admissions of a whole fleet against Bucket4j on the same grid. */
@NullMarked
package io.tollgrid.verification.bench.grid;

import org.jspecify.annotations.NullMarked;
