/**
 * The time that requests are judged by, without a call for each. One thread writes it, any may
 * read.
 */
@NullMarked
package io.tollgrid.admission.time;

import org.jspecify.annotations.NullMarked;
