/** What a node's log leaves out. */
@NullMarked
package io.tollgrid.node.logging;

import org.jspecify.annotations.NullMarked;
