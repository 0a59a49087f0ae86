/** How requests ended, counted once each. Counting is striped and lock-free; reading sums. */
@NullMarked
package io.tollgrid.admission.outcome;

import org.jspecify.annotations.NullMarked;
