/** Tests of the command line. */
@NullMarked
package io.tollgrid.node.cli;

import org.jspecify.annotations.NullMarked;
