/**
 * The sweeps: one stage reads what is due, page by page, another has the owners of the accounts act
 * on it (R12, R14, R19).
 *
 * <p>Reading is confined to the thread of one processor; all that is known of an account is on its
 * owner, guarded by one lock that is never held during a call.
 */
@NullMarked
package io.tollgrid.pipelines.sweep;

import org.jspecify.annotations.NullMarked;
