/**
 * The accounts an instance meters, each with its policy and its lease slot. Lookups and policy
 * reads are lock-free and allocate nothing; opening and publishing are for the control side.
 */
@NullMarked
package io.tollgrid.admission.account;

import org.jspecify.annotations.NullMarked;
