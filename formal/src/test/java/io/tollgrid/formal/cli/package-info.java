/** The command line of {@code ./tollgrid prove}. */
@NullMarked
package io.tollgrid.formal.cli;

import org.jspecify.annotations.NullMarked;
