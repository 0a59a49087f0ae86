/**
 * The journal read back: what every account was asked, answered and left with, in order.
 *
 * <p>Readers stream; none holds more than one account at a time.
 */
@NullMarked
package io.tollgrid.mapstore.journal;

import org.jspecify.annotations.NullMarked;
