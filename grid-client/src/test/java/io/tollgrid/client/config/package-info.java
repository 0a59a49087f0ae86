/** Tests of how configurations are read. */
@NullMarked
package io.tollgrid.client.config;

import org.jspecify.annotations.NullMarked;
