/** Real PostgreSQL for the tests of this and other modules. */
@NullMarked
package io.tollgrid.mapstore.testing;

import org.jspecify.annotations.NullMarked;
