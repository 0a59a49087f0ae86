/** KeY over the shipped arithmetic: the sources as they stand, and each with a guard taken out. */
@NullMarked
package io.tollgrid.formal.key;

import org.jspecify.annotations.NullMarked;
