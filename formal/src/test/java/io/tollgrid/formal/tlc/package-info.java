/**
 * The TLA+ specifications in {@code formal/tla} and how TLC checks them, each run in a process of
 * its own.
 */
@NullMarked
package io.tollgrid.formal.tlc;

import org.jspecify.annotations.NullMarked;
