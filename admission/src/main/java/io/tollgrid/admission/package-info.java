/**
 * The request path of one process: it decides from local state alone, without network, disk,
 * blocking lock or clock read.
 */
@NullMarked
package io.tollgrid.admission;

import org.jspecify.annotations.NullMarked;
