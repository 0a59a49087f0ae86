/** What PostgreSQL keeps of usage, for whoever watches over it. */
@NullMarked
package io.tollgrid.mapstore.usage;

import org.jspecify.annotations.NullMarked;
