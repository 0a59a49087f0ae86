/**
 * What an operator decides about who may spend on what: plans and principal snapshots, as they are
 * published, stored and handed to instances, and the questions by which instances read them.
 *
 * <p>Everything here is an immutable value that was validated when it was made (R42). What accounts
 * say of themselves is an {@link io.tollgrid.ledger.AccountPolicy} and is never repeated here
 * (R18).
 */
@NullMarked
package io.tollgrid.ledger.policy;

import org.jspecify.annotations.NullMarked;
