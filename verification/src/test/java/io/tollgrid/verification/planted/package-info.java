/** Tests of the planted bugs. */
@NullMarked
package io.tollgrid.verification.planted;

import org.jspecify.annotations.NullMarked;
