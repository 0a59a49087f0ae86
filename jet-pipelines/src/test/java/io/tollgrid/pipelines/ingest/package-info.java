/** Tests of the parts of the ingest. */
@NullMarked
package io.tollgrid.pipelines.ingest;

import org.jspecify.annotations.NullMarked;
