/**
 * What the Java memory model lets two threads see of the request path's words: stress tests of
 * jcstress on the shipped classes, and on the same classes with one order weakened.
 */
@NullMarked
package io.tollgrid.formal.stress;

import org.jspecify.annotations.NullMarked;
