/** The operator's key as a file: made once, read by its owner only, never logged (R45). */
@NullMarked
package io.tollgrid.node.operator;

import org.jspecify.annotations.NullMarked;
