/** Tests of the configuration. */
@NullMarked
package io.tollgrid.node.config;

import org.jspecify.annotations.NullMarked;
