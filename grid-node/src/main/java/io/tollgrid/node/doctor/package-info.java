/**
 * The self-tests of every alarm, on a system of their own (R53): each makes an alarm's real cause
 * happen, sees the alarm fire, takes the cause away and sees the alarm clear.
 *
 * <p>One thread examines; the causes of one alarm are gone before the next is examined.
 */
@NullMarked
package io.tollgrid.node.doctor;

import org.jspecify.annotations.NullMarked;
