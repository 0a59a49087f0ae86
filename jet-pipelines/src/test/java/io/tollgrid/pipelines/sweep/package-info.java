@NullMarked
package io.tollgrid.pipelines.sweep;

import org.jspecify.annotations.NullMarked;
