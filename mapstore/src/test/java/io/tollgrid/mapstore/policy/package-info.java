@NullMarked
package io.tollgrid.mapstore.policy;

import org.jspecify.annotations.NullMarked;
