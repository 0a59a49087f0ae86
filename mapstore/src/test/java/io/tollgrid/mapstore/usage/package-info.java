@NullMarked
package io.tollgrid.mapstore.usage;

import org.jspecify.annotations.NullMarked;
