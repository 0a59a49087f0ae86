/** What tests of several packages share. */
@NullMarked
package io.tollgrid.admission.testing;

import org.jspecify.annotations.NullMarked;
