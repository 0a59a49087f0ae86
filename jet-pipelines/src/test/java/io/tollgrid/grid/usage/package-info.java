@NullMarked
package io.tollgrid.grid.usage;

import org.jspecify.annotations.NullMarked;
