/** Whether a soak would find what grows. */
@NullMarked
package io.tollgrid.verification.faults.soak;

import org.jspecify.annotations.NullMarked;
