/** What hostile processes send to a node's listeners. */
@NullMarked
package io.tollgrid.node.wire;

import org.jspecify.annotations.NullMarked;
