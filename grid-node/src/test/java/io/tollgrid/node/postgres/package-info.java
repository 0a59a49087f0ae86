/** Tests of the embedded PostgreSQL. */
@NullMarked
package io.tollgrid.node.postgres;

import org.jspecify.annotations.NullMarked;
