/**
 * Ownership fences (architecture §3.4): who may write the ledgers of a partition is decided by CP,
 * and enforced by PostgreSQL.
 *
 * <p>The owner of a partition draws a fence above everything drawn before, raises it at rest, and
 * only then holds it. Without CP but with a majority of the cluster, PostgreSQL issues fences
 * itself, so CP's state is disposable and its repair is done here too. All CP calls of the product
 * are in this package, behind {@link FenceSource} and {@link CpGroup}; each is bounded in time
 * here, because below its majority CP blocks without limit. Nothing here runs on a partition thread
 * except {@link FenceKeeper#held}, {@link FenceKeeper#request} and {@link FenceKeeper#drop}, which
 * do not block.
 */
@NullMarked
package io.tollgrid.node.fence;

import org.jspecify.annotations.NullMarked;
