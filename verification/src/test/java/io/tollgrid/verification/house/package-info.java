/** Checks of the house itself: which module may depend on what, and where the checkout is. */
@NullMarked
package io.tollgrid.verification.house;

import org.jspecify.annotations.NullMarked;
