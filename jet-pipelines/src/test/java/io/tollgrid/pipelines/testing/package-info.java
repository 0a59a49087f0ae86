@NullMarked
package io.tollgrid.pipelines.testing;

import org.jspecify.annotations.NullMarked;
