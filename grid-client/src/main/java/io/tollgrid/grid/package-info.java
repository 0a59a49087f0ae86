/**
 * The protocol that members and clients share: map names, the ledger processor, serializers and the
 * typed ledger client.
 */
@NullMarked
package io.tollgrid.grid;

import org.jspecify.annotations.NullMarked;
