/** A whole cluster of nodes in one process, for tests of this and other modules. */
@NullMarked
package io.tollgrid.node.testing;

import org.jspecify.annotations.NullMarked;
