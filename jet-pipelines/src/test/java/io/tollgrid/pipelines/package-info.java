@NullMarked
package io.tollgrid.pipelines;

import org.jspecify.annotations.NullMarked;
