/**
 * P9: what an instance keeps in memory for each principal, how many threads it has, and what it
 * does when nobody asks for anything.
 */
@NullMarked
package io.tollgrid.verification.bench.footprint;

import org.jspecify.annotations.NullMarked;
