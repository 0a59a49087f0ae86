/** Tests of bounded input. */
@NullMarked
package io.tollgrid.node.input;

import org.jspecify.annotations.NullMarked;
