/**
 * Why a request was refused, and what its caller may do about it. Immutable constants; numbers,
 * labels and statuses are a contract with the outside and only ever grow (R32, R33).
 */
@NullMarked
package io.tollgrid.admission.denial;

import org.jspecify.annotations.NullMarked;
