/** Tests of the self-tests. */
@NullMarked
package io.tollgrid.node.doctor;

import org.jspecify.annotations.NullMarked;
