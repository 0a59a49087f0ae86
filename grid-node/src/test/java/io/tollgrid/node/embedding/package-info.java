/** The examples of {@code docs/embedding.md}, compiled. */
@NullMarked
package io.tollgrid.node.embedding;

import org.jspecify.annotations.NullMarked;
