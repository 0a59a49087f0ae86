/** The commands of the checkout that show evidence: one class each, behind one dispatcher. */
@NullMarked
package io.tollgrid.verification.cli;

import org.jspecify.annotations.NullMarked;
