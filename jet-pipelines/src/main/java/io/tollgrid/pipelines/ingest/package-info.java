/**
 * Usage ingest (R20): takes what writers left in this member's part of the inbox, records it at the
 * owners of its accounts, and writes the classifications down beside it. Anything here may be done
 * twice: the ledgers tell a delivery what they told it first.
 */
@NullMarked
package io.tollgrid.pipelines.ingest;

import org.jspecify.annotations.NullMarked;
