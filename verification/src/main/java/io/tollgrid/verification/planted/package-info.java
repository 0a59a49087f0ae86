/**
 * Bugs that are planted on purpose, from the outside of what they are planted into: behind the
 * ledger, before an instance's ledgers, before its usage inbox. Those of the committer are its own
 * {@link io.tollgrid.mapstore.commit.Defects}.
 */
@NullMarked
package io.tollgrid.verification.planted;

import org.jspecify.annotations.NullMarked;
