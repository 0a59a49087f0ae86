/**
 * The Hazelcast member: how it is configured so that the ledger can be trusted to it, and so that
 * what it does not need is off (architecture §3, §7).
 */
@NullMarked
package io.tollgrid.node.member;

import org.jspecify.annotations.NullMarked;
