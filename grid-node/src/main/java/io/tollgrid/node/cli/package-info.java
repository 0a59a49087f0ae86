/**
 * The command line. Results go to standard output, everything else to standard error; a command
 * ends with 0 if all is well, 1 if a check failed, 2 if it could not run as asked.
 */
@NullMarked
package io.tollgrid.node.cli;

import org.jspecify.annotations.NullMarked;
